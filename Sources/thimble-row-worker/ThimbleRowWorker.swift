import Foundation
import WorkerSession

/// The process that decodes attachments for a supervisor, without libvips.
@main
struct ThimbleRowWorker {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case nil where isatty(STDIN_FILENO) == 0: WorkerSession.run(fallback: nil)
        case "--version": print("thimble-row-worker (without libvips)")
        default:
            print("thimble-row-worker is started by thimble, and accepts only --version")
            exit(64)
        }
    }
}
