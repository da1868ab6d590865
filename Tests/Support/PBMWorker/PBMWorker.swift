import AttachmentFormats
import AttachmentVips
import WorkerSession

/// A worker that also decodes PBM: the formats of `thimble-worker`, and one more line.
@main
struct PBMWorker {
    static func main() { WorkerSession.run(formats: .standard + [.pbm], fallback: .libvips) }
}
