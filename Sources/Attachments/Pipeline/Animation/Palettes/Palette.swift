/// Palette of up to 255 colours for one or all frames; the index after the last is transparent.
struct Palette: Equatable, Sendable {
    /// Colours with red in the lowest byte and alpha 255; never empty.
    let colours: [UInt32]

    /// One of 256 indices is reserved for transparent pixels.
    static let maxColours = 255

    /// Ignores alpha and uses black for an empty collection.
    init(_ colours: some Collection<UInt32>) {
        let opaque = colours.prefix(Self.maxColours).map { $0 | 0xFF00_0000 }
        self.colours = opaque.isEmpty ? [0xFF00_0000] : opaque
    }

    /// Index of pixels that stay unchanged.
    var transparentIndex: UInt8 { UInt8(colours.count) }

    /// Bits per index, 1 to 8.
    var bits: Int { max(1, Int.bitWidth - colours.count.leadingZeroBitCount) }
}
