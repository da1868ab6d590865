import AttachmentModel

/// The two programs that workers run.
enum WorkerProgram: String, Hashable, CaseIterable {
    /// Without libvips and its hundred libraries, so it starts in a tenth of the time.
    ///
    /// It hands back what only libvips takes.
    case rows = "thimble-row-worker"
    case libvips = "thimble-worker"

    /// The program that probably takes an attachment, by its first bytes.
    ///
    /// Most GIFs move, and a PNG of colour type 4 or 6 has alpha (PNG specification, third edition,
    /// 11.2.1).
    init(for file: AttachmentFile) {
        let bytes = file.bytes(in: 0..<26)
        let png: BytePattern = "\u{89}PNG"
        let hasAlpha = png.matches(bytes) && bytes.count == 26 && bytes[25] & 4 != 0
        self = hasAlpha || BytePattern("GIF8").matches(bytes) ? .libvips : .rows
    }
}
