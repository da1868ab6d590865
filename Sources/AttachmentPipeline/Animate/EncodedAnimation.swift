struct EncodedAnimation {
    /// The most telling frame.
    let still: TellingFrameRows
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
    init(_ gif: GIF, _ still: TellingFrameRows) {
        self.init(still: still, notes: gif.summary.notes, gif: gif)
    }
}
