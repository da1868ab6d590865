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
    /// Most GIFs move.
    init(for file: AttachmentFile) {
        let gif: BytePattern = "GIF8"
        self = gif.matches(file.bytes(in: 0..<4)) ? .libvips : .rows
    }
}
