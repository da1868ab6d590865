internal import AttachmentContainer
internal import AttachmentModel

/// Parser for the headers of a JPEG XL codestream (ISO/IEC 18181-1, annexes D, E and F).
struct JPEGXLProbe {
    private var bits: JPEGXLBits
    private var structure: JPEGXLStructure

    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        let structure = try structure(reader)
        guard !structure.extraChannels.contains(.black) else {
            throw .unsupported("a JPEG XL in CMYK")
        }
        return AttachmentHeader(
            JPEGXLCoding(structure), storedSize: structure.size,
            orientation: structure.orientation,
            colourModel: structure.colours.isGrey ? .grey : .rgb, hasAlpha: structure.hasAlpha,
            bitsPerSample: structure.bitsPerSample, frameCount: structure.isAnimated ? nil : 1,
            profileBytes: structure.profileBytesOfRows,
            hasMetadata: structure.hasMetadata || structure.colours.hasProfile,
            uncroppedSize: structure.sizeOfLargerFrame, fileBytes: ByteCount(reader.length))
    }

    static func structure(_ reader: BoundedReader) throws(HeaderFault) -> JPEGXLStructure {
        let container = try JPEGXLContainer(reader)
        var probe = try JPEGXLProbe(reader, container)
        try probe.readMetadata()
        if let jpeg = container.jpeg {
            var bits = JPEGXLBits(reader, over: [jpeg])
            probe.structure.transcodedJPEG = try bits.transcodedJPEG()
        }
        probe.structure.hasMetadata = container.hasMetadata
        return probe.structure
    }

    private init(_ reader: BoundedReader, _ container: JPEGXLContainer) throws(HeaderFault) {
        bits = JPEGXLBits(reader, over: container.codestream)
        guard try bits.bits(16) == 0x0AFF else {
            throw .corrupt("a codestream without its signature", at: bits.position)
        }
        structure = JPEGXLStructure(size: try bits.size())
    }

    private mutating func readMetadata() throws(HeaderFault) {
        var hasPreview = false
        if try !bits.flag() {
            let hasMore = try bits.flag()
            if hasMore { hasPreview = try readPresentation() }
            structure.bitsPerSample = try bits.depth()
            // modular_16bit_buffers
            try bits.skip(1)
            try readExtraChannels()
            structure.isXYB = try bits.flag()
            structure.colours = try bits.colours()
            // intensity_target, min_nits, relative_to_max_display, linear_below
            if hasMore, try !bits.flag() { try bits.skip(16 + 16 + 1 + 16) }
            try bits.skipExtensions()
        }
        try bits.skipTransformData(isXYB: structure.isXYB)
        if structure.colours.hasProfile {
            structure.profileBytes = Int(clamping: try bits.longNumber())
            return
        }
        if !hasPreview { structure.firstFrame = try bits.frame(in: structure) }
    }

    /// Reads orientation and animation; true with a preview frame.
    private mutating func readPresentation() throws(HeaderFault) -> Bool {
        structure.orientation = Orientation(rawValue: 1 + (try bits.bits(3))) ?? .upright
        if try bits.flag() { _ = try bits.size() }
        let hasPreview = try bits.flag()
        if hasPreview { try bits.skipPreviewSize() }
        structure.isAnimated = try bits.flag()
        if structure.isAnimated {
            _ = try bits.number(
                .value(100), .value(1000), .bits(10, plus: 1), .bits(30, plus: 1))
            _ = try bits.number(.value(1), .value(1001), .bits(8, plus: 1), .bits(10, plus: 1))
            _ = try bits.number(.value(0), .bits(3), .bits(16), .bits(32))
            try bits.skip(1)
        }
        return hasPreview
    }

    /// Each takes the memory of a plane.
    private static let maximumExtraChannels = 16

    private mutating func readExtraChannels() throws(HeaderFault) {
        let count = try bits.number(
            .value(0), .value(1), .bits(4, plus: 2), .bits(12, plus: 1))
        guard count <= Self.maximumExtraChannels else {
            throw .unsupported("a JPEG XL of \(count) extra channels")
        }
        for _ in 0..<count { structure.extraChannels.append(try bits.extraChannel()) }
    }
}

extension JPEGXLStructure {
    /// Size of a first frame with more pixels than the picture.
    fileprivate var sizeOfLargerFrame: PixelSize? {
        guard let frame = firstFrame?.size, frame.pixelCount > size.pixelCount else { return nil }
        return frame
    }

    /// Length of the profile of decoded rows, in bytes: embedded, or made by libjxl for colours that
    /// are not sRGB; 0 for sRGB.
    fileprivate var profileBytesOfRows: Int {
        if isXYB || colours.isSRGB || colours.isHighDynamicRange { return 0 }
        return colours.hasProfile ? max(profileBytes, Self.madeProfileBytes) : Self.madeProfileBytes
    }

    /// libjxl makes profiles of 548 to 736 bytes.
    private static let madeProfileBytes = 1024
}

extension PictureFormat {
    package static let jpegXL = PictureFormat(
        "\u{FF}\u{A}", "\0\0\0\u{C}JXL ", probe: JPEGXLProbe.header)
}
