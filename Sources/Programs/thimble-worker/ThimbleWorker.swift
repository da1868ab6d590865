import AttachmentVips
import WorkerSession

/// The process that decodes attachments for a supervisor, with libvips.
@main
struct ThimbleWorker {
    static func main() {
        WorkerSession.main("thimble-worker", libraries: Libraries.all, fallback: .libvips)
    }
}
