import AttachmentVips
import Foundation
import WorkerSession

/// The process that decodes attachments for a supervisor, with libvips.
@main
struct ThimbleWorker {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case nil where isatty(STDIN_FILENO) == 0: WorkerSession.run(fallback: .libvips)
        case "--version": print("thimble-worker (libvips \(Libraries.vipsVersion))")
        default:
            print("thimble-worker is started by thimble, and accepts only --version")
            exit(64)
        }
    }
}
