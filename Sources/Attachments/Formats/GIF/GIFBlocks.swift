import AttachmentModel

/// Walks a GIF from frame to frame, without decoding.
struct GIFBlocks: ~Copyable {
    let screen: GIFScreen
    private var window: FileWindow
    private let isTolerant: Bool
    let length: Int
    /// Repetitions after the first play, in the part read so far: 0 for endless, nil without a
    /// NETSCAPE extension.
    private(set) var repetitions: Int?
    /// Faults that lose no pixel, in the part read so far.
    private(set) var faults: Set<HarmlessFault> = []
    private var hasFrames = false

    /// A tolerant reader accepts what libnsgif accepts beyond the specification.
    init(_ file: OpenFile, isTolerant: Bool) throws(DecodingFault) {
        var window = FileWindow(file)
        screen = try GIFScreen(&window, isTolerant: isTolerant)
        self.window = window
        self.isTolerant = isTolerant
        length = file.length
    }

    /// Reads the next frame's description; nil at the trailer (GIF89a, section 27).
    ///
    /// Data of the previous frame must have been skipped. Comments, plain text and application
    /// extensions are skipped, and so are zeros between blocks. After a frame, the end of the file
    /// or an unknown block counts as the trailer: browsers show such files.
    mutating func readFrame() throws(DecodingFault) -> GIFFrame? {
        var control = GIFGraphicControl()
        while true {
            guard let introducer = try window.readByte() else {
                return try endWithoutTrailer(
                    DecodingFault(.truncated, at: length, "the GIF ends before its picture"))
            }
            switch introducer {
            case 0x00: faults.insert(.strayBytes)
            case GIFBlock.extension: try readExtension(into: &control)
            case GIFBlock.image:
                hasFrames = true
                let frame = try GIFFrame(&window, control: control)
                if !frame.hasSpecifiedCodeSize { faults.insert(.codeSize) }
                return frame
            case GIFBlock.trailer: return nil
            default:
                return try endWithoutTrailer(
                    DecodingFault(.corrupt, at: window.offset - 1, "an unknown block"))
            }
        }
    }

    private mutating func endWithoutTrailer(
        _ fault: DecodingFault
    ) throws(DecodingFault) -> GIFFrame? {
        guard hasFrames else { throw fault }
        faults.insert(.missingEnd)
        return nil
    }

    /// False if the file ends before the terminator (GIF89a, section 16).
    mutating func skipSubBlocks() throws(DecodingFault) -> Bool { try window.skipGIFSubBlocks() }

    private mutating func readExtension(
        into control: inout GIFGraphicControl
    ) throws(DecodingFault) {
        let label = try window.readGIFByte()
        let start = window.offset
        // A comment consists of sub-blocks; other extensions start with a block of fixed size
        // (sections 23 to 26). Unknown ones are read like those, as in libnsgif.
        if label != GIFBlock.Label.comment {
            let size = try window.readGIFByte()
            if label == GIFBlock.Label.graphicControl {
                guard size == 4 || isTolerant else {
                    throw DecodingFault(
                        .corrupt, at: start, "a graphic control extension of \(size) bytes")
                }
                let (flags, delay) = (try window.readGIFByte(), try window.readGIFUInt16())
                control.update(flags: flags, delay: delay, index: try window.readGIFByte())
            } else if label == GIFBlock.Label.application, size == 11 {
                try readApplication()
                return
            }
            window.seek(to: start + 1 + Int(size))
        }
        try skipExtensionData()
    }

    /// Reads the repetitions of NETSCAPE2.0, a de-facto standard: a sub-block with a 1 and two
    /// bytes.
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

extension FileWindow {
    /// False if the file ends before the terminator (GIF89a, section 16).
    mutating func skipGIFSubBlocks() throws(DecodingFault) -> Bool {
        while let size = try readByte() {
            guard size > 0 else { return true }
            // Beyond the end, no byte can be read.
            seek(to: offset + Int(size))
        }
        return false
    }
}
