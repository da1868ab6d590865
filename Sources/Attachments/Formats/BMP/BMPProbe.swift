internal import AttachmentContainer
internal import AttachmentModel

/// Parser for the headers of a BMP: OS/2 versions 1 and 2, and Windows versions 3 to 5.
struct BMPProbe {
    private var structure: BMPStructure
    private let reader: BoundedReader
    /// Length of the information header.
    private let headerBytes: Int
    private let compression: Int
    /// Offset of the pixels as stated; 0 means behind the palette.
    private let statedOffset: Int
    private let statedColours: Int

    /// Length of the file header, in bytes.
    private static let fileHeader = 14

    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        let structure = try structure(reader)
        let profileBytes = structure.profile?.count ?? 0
        let isIndexed: Bool
        switch structure.pixels {
        case .indices: isIndexed = true
        case .runs: isIndexed = structure.bitsPerPixel <= 8
        case .masks: isIndexed = false
        }
        return AttachmentHeader(
            BMPCoding(structure), storedSize: structure.size,
            colourModel: isIndexed ? .palette : .rgb, hasAlpha: structure.hasAlpha,
            bitsPerSample: isIndexed ? structure.bitsPerPixel : 8, profileBytes: profileBytes,
            hasMetadata: profileBytes > 0, fileBytes: ByteCount(reader.length))
    }

    /// True if a file that begins with `BM` continues as a BMP.
    ///
    /// No text has a header of so few bytes.
    static func recognizes(_ reader: BoundedReader) throws(HeaderFault) -> Bool {
        guard reader.length >= fileHeader + 4 else {
            return try reader.prefix(fileHeader).contains(0)
        }
        var cursor = Cursor(reader, from: fileHeader, .little)
        return try cursor.uint32() <= 0xFF
    }

    static func structure(_ reader: BoundedReader) throws(HeaderFault) -> BMPStructure {
        var probe = try BMPProbe(reader)
        try probe.readPixels()
        try probe.readPalette()
        try probe.readProfile()
        return probe.structure
    }

    private init(_ reader: BoundedReader) throws(HeaderFault) {
        self.reader = reader
        var cursor = Cursor(reader, from: 10, .little)
        statedOffset = Int(try cursor.uint32())
        headerBytes = Int(try cursor.uint32())
        let (width, height): (Int, Int)
        if headerBytes == 12 {
            (width, height) = (Int(try cursor.uint16()), Int(try cursor.uint16()))
        } else if headerBytes >= 16, headerBytes <= 64 || [108, 124].contains(headerBytes) {
            (width, height) = (
                Int(Int32(bitPattern: try cursor.uint32())),
                Int(Int32(bitPattern: try cursor.uint32()))
            )
        } else {
            throw .unsupported("a BMP with a header of \(headerBytes) bytes")
        }
        let planes = try cursor.uint16()
        guard planes == 1 else { throw .unsupported("a BMP of \(planes) planes") }
        let bits = Int(try cursor.uint16())
        compression = try Self.field(16, of: headerBytes, reader)
        statedColours = try Self.field(32, of: headerBytes, reader)
        structure = BMPStructure(
            size: try PixelSize(claimed: width, abs(height)), isTopDown: height < 0,
            bitsPerPixel: bits)
        guard max(width, abs(height)) <= BMPStructure.longestSide else {
            throw .unsupported("a BMP of more than \(BMPStructure.longestSide) pixels a side")
        }
    }

    /// A number of the information header; 0 if the header ends before it.
    private static func field(
        _ offset: Int, of headerBytes: Int, _ reader: BoundedReader
    ) throws(HeaderFault) -> Int {
        guard headerBytes >= offset + 4 else { return 0 }
        var cursor = Cursor(reader, from: fileHeader + offset, .little)
        return Int(try cursor.uint32())
    }

    /// Header of OS/2 version 2, where compressions 3 and 4 have another meaning.
    private var isSecondOS2: Bool { headerBytes < 40 || headerBytes == 64 }

    private mutating func readPixels() throws(HeaderFault) {
        let bits = structure.bitsPerPixel
        switch (compression, bits) {
        case (0, 1), (0, 2), (0, 4), (0, 8): structure.pixels = .indices
        case (0, 16): structure.pixels = .masks(.fiveBits)
        case (0, 24), (0, 32): structure.pixels = .masks(.bytes)
        case (1, 8), (2, 4): structure.pixels = .runs
        case (4, 24) where isSecondOS2: structure.pixels = .runs
        case (let fields, 16...32)
        where [3, 6].contains(fields) && bits.isMultiple(of: 8) && !isSecondOS2:
            structure.pixels = .masks(try readMasks())
        default: throw .unsupported(refusal)
        }
    }

    private var refusal: String {
        switch compression {
        case 0: "a BMP of \(structure.bitsPerPixel) bits a pixel"
        case 3 where isSecondOS2: "a BMP compressed with Huffman codes"
        case 4 where !isSecondOS2: "a BMP that holds a JPEG"
        case 5 where !isSecondOS2: "a BMP that holds a PNG"
        case 11...13: "a BMP of CMYK"
        default: "a BMP of compression \(compression) and \(structure.bitsPerPixel) bits a pixel"
        }
    }

    /// Masks at the end of a header of 40 bytes, or behind it, and in longer ones.
    private func readMasks() throws(HeaderFault) -> BMPMasks {
        var cursor = Cursor(reader, from: Self.fileHeader + 40, .little)
        var masks = BMPMasks(
            red: try cursor.uint32(), green: try cursor.uint32(), blue: try cursor.uint32())
        if headerBytes >= 56 || compression == 6 { masks.alpha = try cursor.uint32() }
        masks = masks.limited(to: structure.bitsPerPixel)
        guard masks.isValid else {
            throw .corrupt("a BMP with invalid colour masks", at: Self.fileHeader + 40)
        }
        return masks
    }

    /// Masks behind a header without room for them, in bytes.
    private var maskBytes: Int {
        guard headerBytes < 52 else { return 0 }
        return isSecondOS2 ? 0 : compression == 3 ? 12 : compression == 6 ? 16 : 0
    }

    /// Finds the palette, which ends at the pixels, whatever number of colours is stated.
    private mutating func readPalette() throws(HeaderFault) {
        let start = Self.fileHeader + headerBytes + maskBytes
        let entry = headerBytes == 12 ? 3 : 4
        let bits = structure.bitsPerPixel
        let most = bits <= 8 ? 1 << bits : 0
        let stated = statedColours == 0 ? most : statedColours
        guard statedOffset == 0 || statedOffset >= Self.fileHeader + headerBytes else {
            throw .corrupt("a BMP whose pixels begin within its header", at: 10)
        }
        structure.dataOffset = start + stated * entry
        // Some encoders state the palette's offset, or none, as the pixels' offset.
        let hasRoom = (structure.requiredLength ?? structure.dataOffset + 1) <= reader.length
        if statedOffset != 0, statedOffset != start || !hasRoom {
            structure.dataOffset = statedOffset
        }
        structure.palette = .init(
            offset: start, entryBytes: entry,
            count: max(0, min(stated, most, (structure.dataOffset - start) / entry)))
        guard structure.dataOffset < reader.length else { throw .truncated(at: reader.length) }
    }

    /// Finds the profile that version 5 embeds ([MS-WMF] 2.2.2.12).
    private mutating func readProfile() throws(HeaderFault) {
        guard headerBytes == 124 else { return }
        var cursor = Cursor(reader, from: Self.fileHeader + 56, .little)
        let kind = try cursor.uint32()
        guard kind == FourCC("MBED").rawValue || kind == FourCC("LINK").rawValue else { return }
        cursor = Cursor(reader, from: Self.fileHeader + 112, .little)
        let start = Self.fileHeader + Int(try cursor.uint32())
        let count = Int(try cursor.uint32())
        let isReadable =
            kind == FourCC("MBED").rawValue && count <= ColourProfile.ceiling
            && count >= Self.profileHeader && start + count <= reader.length
        structure.profile = isReadable ? start..<start + count : nil
        structure.hasUnreadableProfile = !isReadable
    }

    /// Length of a profile's header (ICC.1:2022, 7.2).
    private static let profileHeader = 128
}

extension PictureFormat {
    package static let bmp = PictureFormat(
        "BM", recognizes: BMPProbe.recognizes, probe: BMPProbe.header)
}
