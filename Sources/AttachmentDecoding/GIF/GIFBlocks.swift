/// Goes through a GIF from frame to frame, without decoding any.
struct GIFBlocks: ~Copyable {
    /// The head of the file.
    let screen: GIFScreen
    private var window: FileWindow
    private let isTolerant: Bool
    /// Where the file ends, in bytes from its start.
    let length: Int
    /// How often the animation is repeated after its first run, as far as the file was read: 0 for
    /// without end; nil when no extension of Netscape's says it.
    private(set) var repetitions: Int?
    /// Whether there was no padding between blocks, and a trailer at the end, as far as the file was
    /// read.
    private(set) var isWellFormed = true
    private var hasFrames = false

    /// Opens a file and reads its head.
    ///
    /// - Parameters:
    ///   - descriptor: The file; it stays the caller's.
    ///   - length: The length of the file, in bytes.
    ///   - isTolerant: Whether what libnsgif takes beyond the specification is taken.
    /// - Throws: `DecodingFault` with code `corrupt`, `truncated` or `unreadable`.
    init(descriptor: CInt, length: Int, isTolerant: Bool) throws(DecodingFault) {
        var window = FileWindow(descriptor: descriptor, over: 0..<max(0, length))
        screen = try GIFScreen(&window, isTolerant: isTolerant)
        self.window = window
        self.isTolerant = isTolerant
        self.length = length
    }

    /// Reads the next frame's description; the data, if a frame was read before, must have been
    /// skipped.
    ///
    /// Comments, plain texts and the extensions of applications are passed over, and so are zeros
    /// between blocks. Behind a frame the end of the file, or a block of an unknown kind, stands for
    /// the trailer: browsers show such files.
    ///
    /// - Returns: The frame; nil at the trailer (GIF89a, section 27) or what stands for it.
    /// - Throws: `DecodingFault` with code `corrupt`, `truncated` or `unreadable`.
    mutating func readFrame() throws(DecodingFault) -> GIFFrame? {
        var control = GIFGraphicControl()
        while true {
            guard let introducer = try window.readByte() else {
                return try endWithoutTrailer(
                    DecodingFault(.truncated, at: length, "the GIF ends before its picture"))
            }
            switch introducer {
            case 0x00: isWellFormed = false
            case 0x21: try readExtension(into: &control)
            case 0x2C:
                hasFrames = true
                return try GIFFrame(&window, control: control, isTolerant: isTolerant)
            case 0x3B: return nil
            default:
                return try endWithoutTrailer(
                    DecodingFault(.corrupt, at: window.offset - 1, "an unknown block"))
            }
        }
    }

    /// Ends the frames, which takes one at least.
    private mutating func endWithoutTrailer(
        _ fault: DecodingFault
    ) throws(DecodingFault) -> GIFFrame? {
        guard hasFrames else { throw fault }
        isWellFormed = false
        return nil
    }

    /// Passes over sub-blocks, up to and including the empty one that ends them (GIF89a, section 16).
    ///
    /// - Returns: Whether all of them are there; false when the file ends first.
    /// - Throws: `DecodingFault` with code `unreadable`.
    mutating func skipSubBlocks() throws(DecodingFault) -> Bool {
        while let size = try window.readByte() {
            guard size > 0 else { return true }
            guard window.offset + Int(size) <= length else { return false }
            window.seek(to: window.offset + Int(size))
        }
        return false
    }

    /// Reads an extension, of which only graphic control says anything of pictures.
    private mutating func readExtension(
        into control: inout GIFGraphicControl
    ) throws(DecodingFault) {
        let label = try window.readGIFByte()
        let start = window.offset
        // A comment has sub-blocks alone; the others a block of fixed size before them (sections 23
        // to 26). Unknown ones are taken to be like those, as libnsgif does.
        if label != 0xFE {
            let size = try window.readGIFByte()
            if label == 0xF9 {
                guard size == 4 || isTolerant else {
                    throw DecodingFault(
                        .corrupt, at: start, "a graphic control extension of \(size) bytes")
                }
                let (flags, delay) = (try window.readGIFByte(), try window.readGIFUInt16())
                control.update(flags: flags, delay: delay, index: try window.readGIFByte())
            } else if label == 0xFF, size == 11 {
                try readApplication()
                return
            }
            window.seek(to: start + 1 + Int(size))
        }
        try skipExtensionData()
    }

    /// Reads the extension of an application, of which Netscape's says how often to repeat: its
    /// sub-block has a one and two bytes (Mozilla and all others read it so, no standard has it).
    private mutating func readApplication() throws(DecodingFault) {
        var name: [UInt8] = []
        for _ in 0..<11 { name.append(try window.readGIFByte()) }
        let known = ["NETSCAPE2.0", "ANIMEXTS1.0"].contains { $0.utf8.elementsEqual(name) }
        let start = window.offset
        if known, try window.readGIFByte() == 3, try window.readGIFByte() == 1 {
            repetitions = try window.readGIFUInt16()
        }
        window.seek(to: start)
        try skipExtensionData()
    }

    private mutating func skipExtensionData() throws(DecodingFault) {
        guard try skipSubBlocks() else {
            throw DecodingFault(.truncated, at: length, "the GIF ends within an extension")
        }
    }
}
