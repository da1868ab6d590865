/// The colours of a frame or of all frames, at most 255; the index behind the last one leaves a pixel
/// as it is.
struct Palette: Equatable, Sendable {
    /// Red, green and blue from the lowest byte on, and 255; at least one.
    let colours: [UInt32]
    /// Whether they are all colours that there are, so that no pixel is changed by them.
    let isExact: Bool

    /// The most colours: one index of 256 is for transparent pixels.
    static let mostColours = 255

    /// Makes a palette.
    ///
    /// - Parameters:
    ///   - colours: At most 255, without alpha or with; black when there are none.
    ///   - isExact: Whether they are all colours that there are.
    init(_ colours: some Collection<UInt32>, isExact: Bool) {
        let opaque = colours.prefix(Self.mostColours).map { $0 | 0xFF00_0000 }
        self.colours = opaque.isEmpty ? [0xFF00_0000] : opaque
        self.isExact = isExact
    }

    /// The index that leaves a pixel as it is.
    var transparentIndex: UInt8 { UInt8(colours.count) }

    /// How many bits an index has, 1 to 8.
    var bits: Int { max(1, Int.bitWidth - colours.count.leadingZeroBitCount) }
}
