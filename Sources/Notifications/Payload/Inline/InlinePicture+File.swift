extension InlinePicture {
    /// The picture as an AVIF file, for ImageIO and every other decoder of AVIF.
    ///
    /// Its boxes have the order and the values of libavif's.
    public var file: [UInt8] {
        let unit = temporalUnit
        let start = fileType.count + metadata(offset: 0, length: 0).count + 8
        return fileType + metadata(offset: start, length: unit.count) + Self.box("mdat", unit)
    }

    /// Brands (AV1 Image File Format, 6 and 8): a file of one item, and the profile.
    private var fileType: [UInt8] {
        let profile = coding.contains(.fullChroma) ? "MA1A" : "MA1B"
        return Self.box(
            "ftyp",
            Self.text("avif") + Self.uint32(0)
                + ["avif", "mif1", "miaf", profile].flatMap(Self.text))
    }

    /// The description of one item (ISO/IEC 14496-12, 8.11, and 23008-12, 6).
    private func metadata(offset: Int, length: Int) -> [UInt8] {
        let handler = Self.fullBox(
            "hdlr", Self.uint32(0) + Self.text("pict") + [UInt8](repeating: 0, count: 13))
        let primary = Self.fullBox("pitm", Self.uint16(1))
        // Offsets and lengths of 4 bytes; one item with one extent.
        let location = Self.fullBox(
            "iloc",
            [0x44, 0] + [1, 1, 0, 1].flatMap(Self.uint16) + Self.uint32(offset)
                + Self.uint32(length))
        let entry = Self.fullBox(
            "infe", version: 2, Self.uint16(1) + Self.uint16(0) + Self.text("av01Color\0"))
        let items = Self.fullBox("iinf", Self.uint16(1) + entry)
        return Self.fullBox("meta", handler + primary + location + items + properties)
    }

    private var properties: [UInt8] {
        let isFull = coding.contains(.fullChroma)
        let extent = Self.fullBox("ispe", Self.uint32(width) + Self.uint32(height))
        let depths = Self.fullBox("pixi", [3, 8, 8, 8])
        // Marker and version, profile and level, then halved chroma (AV1 in ISOBMFF, 2.3.3).
        let configuration = Self.box("av1C", [0x81, isFull ? 0x20 : 0, isFull ? 0 : 0x0C, 0])
        let colours = Self.box(
            "colr", Self.text("nclx") + AV1Sequence.colours.flatMap(Self.uint16) + [0x80])
        // Item 1 has all four; a decoder must know the third.
        let association = Self.fullBox(
            "ipma", Self.uint32(1) + Self.uint16(1) + [4, 1, 2, 0x83, 4])
        return Self.box(
            "iprp", Self.box("ipco", extent + depths + configuration + colours) + association)
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        uint32(8 + content.count) + text(type) + content
    }

    private static func fullBox(
        _ type: String, version: UInt8 = 0, _ content: [UInt8]
    ) -> [UInt8] {
        box(type, [version, 0, 0, 0] + content)
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    private static func uint16(_ value: Int) -> [UInt8] {
        [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }
    private static func uint32(_ value: Int) -> [UInt8] { uint16(value >> 16) + uint16(value) }
}
