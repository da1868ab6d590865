import AttachmentFormats

struct EncodedAnimation {
    /// The most telling frame.
    let still: any DecodedRows
    let notes: [String]
    /// The GIF; nil if only stills are published.
    var gif: GIF?

    struct GIF {
        /// The file; nil for the unchanged attachment.
        let output: RenditionOutput?
        let summary: AnimationSummary
    }
}

extension EncodedAnimation {
    init(_ gif: GIF, _ still: any DecodedRows) {
        self.init(still: still, notes: gif.summary.notes, gif: gif)
    }
}
