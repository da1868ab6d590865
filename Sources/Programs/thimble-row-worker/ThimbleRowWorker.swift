import WorkerSession

/// The process that decodes attachments for a supervisor, without libvips.
@main
struct ThimbleRowWorker {
    static func main() {
        WorkerSession.main("thimble-row-worker", fallback: nil)
    }
}
