import SampleMedia

/// HEIF file, assembled from boxes with invalid coded data.
struct SampleHEIF {
    struct Item {
        var identifier = 1
        var type = "hvc1"
        /// Indices into the properties, 1-based.
        var properties: [Int] = [1, 2]
        /// Data of the item, in the `idat` box.
        var bytes: [UInt8] = [0, 0, 0, 0]
    }

    var brands = ["heic", "mif1"]
    var primary = 1
    var items = [Item()]
    var properties: [[UInt8]] = [hevc(), size(40, 30)]
    /// Type, source item, target items.
    var references: [(type: String, from: Int, to: [Int])] = []
    /// Boxes between the file type and the meta box.
    var before: [UInt8] = []

    static func box(_ type: String, _ payload: [UInt8] = []) -> [UInt8] {
        .big32(payload.count + 8) + .ascii(type) + payload
    }

    static func fullBox(_ type: String, version: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
        box(type, [version, 0, 0, 0] + payload)
    }

    static func size(_ width: Int, _ height: Int) -> [UInt8] {
        fullBox("ispe", .big32(width) + .big32(height))
    }

    static func rotation(_ quarterTurns: UInt8) -> [UInt8] { box("irot", [quarterTurns]) }

    static func mirror(_ axis: UInt8) -> [UInt8] { box("imir", [axis]) }

    static func cleanAperture(_ width: Int, _ height: Int, over: Int = 1) -> [UInt8] {
        box(
            "clap",
            [width, over, height, over, 0, 1, 0, 1].flatMap { [UInt8].big32($0) })
    }

    static func hevc(chroma: UInt8 = 1, bits: UInt8 = 8) -> [UInt8] {
        box("hvcC", [1] + .zeros(15) + [0xFC | chroma, 0xF8 | (bits - 8), 0xF8, 0, 0, 0, 0])
    }

    static func av1(_ flags: UInt8 = 0x0C) -> [UInt8] { box("av1C", [0x81, 0, flags, 0]) }

    static func colour(_ type: String, _ count: Int) -> [UInt8] {
        box("colr", .ascii(type) + .zeros(count))
    }

    static func auxiliary(_ name: String) -> [UInt8] {
        fullBox("auxC", .ascii(name) + [0])
    }

    /// Data of a grid item.
    static func grid(_ columns: Int, _ rows: Int, _ width: Int, _ height: Int) -> [UInt8] {
        [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + .big16(width) + .big16(height)
    }

    /// `iloc` box with an extent of the `idat` box for each item.
    private var locations: [UInt8] {
        var offset = 0
        var entries: [UInt8] = []
        for item in items {
            entries += .big16(item.identifier) + .big16(1) + .big16(0) + .big16(1)
            entries += .big32(offset) + .big32(item.bytes.count)
            offset += item.bytes.count
        }
        return Self.fullBox("iloc", version: 1, [0x44, 0] + .big16(items.count) + entries)
    }

    var meta: [UInt8] {
        let information = items.flatMap {
            Self.fullBox(
                "infe", version: 2,
                .big16($0.identifier) + .big16(0) + .ascii($0.type) + [0])
        }
        let associations = items.flatMap {
            [UInt8].big16($0.identifier) + [UInt8($0.properties.count)]
                + $0.properties.map { UInt8($0) }
        }
        let linked = references.flatMap {
            Self.box(
                $0.type, .big16($0.from) + .big16($0.to.count) + $0.to.flatMap { [UInt8].big16($0) }
            )
        }
        let parts = [
            Self.fullBox("hdlr", .big32(0) + .ascii("pict") + .zeros(13)),
            Self.fullBox("pitm", .big16(primary)),
            Self.fullBox("iinf", .big16(items.count) + information),
            Self.fullBox("iref", linked), locations,
            Self.box("idat", items.flatMap(\.bytes)),
            Self.box(
                "iprp",
                Self.box("ipco", properties.flatMap { $0 })
                    + Self.fullBox("ipma", .big32(items.count) + associations)),
        ]
        return Self.fullBox("meta", parts.flatMap { $0 })
    }

    var fileType: [UInt8] {
        Self.box("ftyp", .ascii(brands[0]) + .big32(0) + brands.flatMap { [UInt8].ascii($0) })
    }

    var bytes: [UInt8] { fileType + before + meta + Self.box("mdat", .zeros(16)) }
}
