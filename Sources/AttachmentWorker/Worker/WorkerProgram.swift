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
    /// Most PNGs have transparency, and most GIFs move.
    init(for file: AttachmentFile) {
        let patterns: [BytePattern] = ["\u{89}PNG", "GIF8"]
        let bytes = file.bytes(in: 0..<4)
        self = patterns.contains { $0.matches(bytes) } ? .libvips : .rows
    }
}
