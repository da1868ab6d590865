import AttachmentPipeline
import Foundation
import WorkerSession

/// The process that decodes attachments for a supervisor.
@main
struct ThimbleWorker {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case nil where isatty(STDIN_FILENO) == 0: WorkerSession.run()
        case "--version": print("thimble-worker (libvips \(Libraries.vipsVersion))")
        default:
            print("thimble-worker is started by thimble, and accepts only --version")
            exit(64)
        }
    }
}
