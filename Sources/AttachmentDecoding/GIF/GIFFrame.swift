/// One picture of a GIF, as what stands before its data describes it (GIF89a, sections 20 to 23).
struct GIFFrame: Sendable {
    /// The canvas column of the frame's first pixel.
    let left: Int
    /// The canvas row of the frame's first row.
    let top: Int
    /// Pixels in a row, 0 to 65,535.
    let width: Int
    /// Rows, 0 to 65,535.
    let height: Int
    /// Whether rows come in four passes (appendix E).
    let isInterlaced: Bool
    /// The frame's own colours; nil when it uses the screen's.
    let localColours: GIFColourTable?
    /// How the frame is shown.
    let control: GIFGraphicControl
    /// How many bits an index has before the first code grows, 0 to 11 (appendix F).
    let minimumCodeSize: Int
    /// Where the first sub-block of the data begins, in bytes from the start of the file.
    let dataOffset: Int

    /// Reads an image descriptor, a local colour table and the minimum code size.
    ///
    /// - Parameters:
    ///   - window: The file, past the image separator.
    ///   - control: What the graphic control extensions before the frame say.
    ///   - isTolerant: Whether code sizes that the specification has not are taken where libnsgif
    ///     takes them: 0, 1, and 9 to 11.
    /// - Throws: `DecodingFault` with code `corrupt`, `truncated` or `unreadable`.
    init(
        _ window: inout FileWindow, control: GIFGraphicControl, isTolerant: Bool
    ) throws(DecodingFault) {
        (left, top) = (try window.readGIFUInt16(), try window.readGIFUInt16())
        (width, height) = (try window.readGIFUInt16(), try window.readGIFUInt16())
        let flags = try window.readGIFByte()
        isInterlaced = flags & 0x40 != 0
        localColours = flags & 0x80 == 0 ? nil : try GIFColourTable(&window, flags: flags)
        self.control = control
        minimumCodeSize = Int(try window.readGIFByte())
        // An index has eight bits at most and codes have twelve; a picture in black and white is to
        // say 2 (appendix F).
        guard (isTolerant ? 0...11 : 2...8).contains(minimumCodeSize) else {
            throw DecodingFault(
                .corrupt, at: window.offset - 1, "codes of \(minimumCodeSize) bits and more")
        }
        dataOffset = window.offset
    }

    /// Whether the frame leaves nothing of a canvas as it was, transparent pixels apart.
    ///
    /// - Parameter canvas: Pixels in a row, and rows.
    /// - Returns: Whether it covers all of it.
    func covers(_ canvas: (width: Int, height: Int)) -> Bool {
        left == 0 && top == 0 && width >= canvas.width && height >= canvas.height
    }
}

/// How a frame is shown (GIF89a, section 23).
struct GIFGraphicControl: Hashable, Sendable {
    /// The index that leaves a pixel as it is; nil when none does.
    var transparentIndex: UInt8?
    /// What becomes of the frame before the next one is drawn; it stays when the file says nothing.
    var disposal = FrameDisposal.Method.keep
    /// How long the frame is shown, in hundredths of a second; nil when the file does not say.
    var delay: Int?

    /// Takes in what one extension says; what an earlier one said of transparency stays where this
    /// one says nothing, as in libnsgif.
    ///
    /// - Parameters:
    ///   - flags: The packed fields.
    ///   - delay: In hundredths of a second.
    ///   - index: The transparent index, if the flags say that there is one.
    mutating func update(flags: UInt8, delay: Int, index: UInt8) {
        if flags & 1 != 0 { transparentIndex = index }
        self.delay = delay
        disposal =
            switch flags >> 2 & 7 {
            case 2: .restoreBackground
            // Old encoders wrote 4 where 3 is meant.
            case 3, 4: .restorePrevious
            default: .keep
            }
    }
}
