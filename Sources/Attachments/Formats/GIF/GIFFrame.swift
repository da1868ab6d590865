/// Description of a frame: the blocks before its data (GIF89a, sections 20 to 23).
struct GIFFrame: Sendable {
    let rect: PixelRect
    let isInterlaced: Bool
    let localColours: GIFColourTable?
    let control: GIFGraphicControl
    /// LZW minimum code size: bits of an index, 0 to 11 (appendix F).
    let minimumCodeSize: Int
    let dataOffset: Int

    init(_ window: inout FileWindow, control: GIFGraphicControl) throws(DecodingFault) {
        let (left, top) = (try window.readGIFUInt16(), try window.readGIFUInt16())
        let (width, height) = (try window.readGIFUInt16(), try window.readGIFUInt16())
        rect = PixelRect(left: left, top: top, right: left + width, bottom: top + height)
        let flags = try window.readGIFByte()
        isInterlaced = flags & 0x40 != 0
        localColours = flags & 0x80 == 0 ? nil : try GIFColourTable(&window, flags: flags)
        self.control = control
        minimumCodeSize = Int(try window.readGIFByte())
        // Codes have at most 12 bits.
        guard minimumCodeSize < 12 else {
            throw DecodingFault(
                .corrupt, at: window.offset - 1, "a minimum code size of \(minimumCodeSize) bits")
        }
        dataOffset = window.offset
    }

    /// False for code sizes that the specification excludes, but browsers and libnsgif read.
    ///
    /// Indices have at most 8 bits, and a black-and-white picture states 2 (appendix F).
    var hasSpecifiedCodeSize: Bool { (2...8).contains(minimumCodeSize) }

    var width: Int { rect.width }
    var height: Int { rect.height }
}

/// Graphic control of a frame (GIF89a, section 23).
struct GIFGraphicControl: Hashable, Sendable {
    var transparentIndex: UInt8?
    var disposal = FrameDisposal.Method.keep
    /// Hundredths of a second; nil without an extension.
    var delay: Int?

    /// Without a transparent index, keeps an earlier extension's index, as in libnsgif.
    mutating func update(flags: UInt8, delay: Int, index: UInt8) {
        if flags & 1 != 0 { transparentIndex = index }
        self.delay = delay
        disposal =
            switch flags >> 2 & 7 {
            case 2: .restoreBackground
            // Old encoders write 4 for 3.
            case 3, 4: .restorePrevious
            default: .keep
            }
    }
}
