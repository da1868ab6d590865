/// A TIFF file of one directory whose fields can have any value.
struct TinyTIFF {
    /// Values by tag, each a LONG.
    var tags: [UInt16: [UInt32]]
    /// Bytes after the header, from byte 8 on.
    var data: [UInt8]

    /// Uncompressed grey pixels in one strip.
    init(width: UInt32, height: UInt32, data: [UInt8]) {
        self.data = data
        tags = [
            256: [width], 257: [height], 258: [8], 259: [1], 262: [1], 273: [8], 277: [1],
            278: [height], 279: [UInt32(data.count)],
        ]
    }

    /// The file, in little-endian order.
    var bytes: [UInt8] {
        var file: [UInt8] = [0x49, 0x49, 42, 0, 0, 0, 0, 0] + data
        var entries: [UInt8] = []
        for (tag, values) in tags.sorted(by: { $0.key < $1.key }) {
            entries += Self.little(UInt32(tag), 2) + [4, 0] + Self.little(UInt32(values.count), 4)
            if values.count == 1 {
                entries += Self.little(values[0], 4)
            } else {
                entries += Self.little(UInt32(file.count), 4)
                file += values.flatMap { Self.little($0, 4) }
            }
        }
        file.replaceSubrange(4..<8, with: Self.little(UInt32(file.count), 4))
        return file + Self.little(UInt32(tags.count), 2) + entries + [0, 0, 0, 0]
    }

    private static func little(_ value: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
}
