import AttachmentAV1
import AttachmentJPEGXL
import AttachmentVips
import WorkerSession

/// The process that decodes attachments for a supervisor, with libvips.
@main
struct ThimbleWorker {
    static func main() {
        WorkerSession.main(
            "thimble-worker", libraries: libraries, fallback: .libvips,
            stillEncoder: InlineEncoder.linked)
    }

    /// Libraries that only this worker links, with their versions.
    private static var libraries: [String] {
        let others = [JPEGXLLibrary.version.map { "libjxl \($0)" }, InlineEncoder.library]
        return ["libvips \(Libraries.vipsVersion)"] + others.compactMap(\.self)
    }
}
