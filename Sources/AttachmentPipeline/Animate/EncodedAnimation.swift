struct EncodedAnimation {
    let stillFrame: Int
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
    init(_ gif: GIF) {
        self.init(stillFrame: gif.summary.tellingFrame, notes: gif.summary.notes, gif: gif)
    }
}
