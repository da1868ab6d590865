import Foundation

/// A TIFF of one directory, which precedes its strips or tiles (TIFF 6.0, section 2).
struct WrittenTIFF {
    /// Values of tags, as 32-bit integers.
    var tags: [Int: [Int]]
    /// Coded strips or tiles.
    var pieces: [[UInt8]]
    /// Lengths of the pieces, if they are wrong.
    var counts: [Int]?
    var profile: [UInt8]?

    init(
        width: Int, height: Int, samples: Int, bits: Int = 8, photometric: Int,
        compression: Int = 1, rowsPerStrip: Int? = nil, pieces: [[UInt8]]
    ) {
        self.pieces = pieces
        tags = [
            256: [width], 257: [height], 258: Array(repeating: bits, count: samples),
            259: [compression], 262: [photometric], 277: [samples],
            278: [rowsPerStrip ?? height],
        ]
    }

    /// Replaces strips with tiles of a size.
    mutating func setTiles(width: Int, height: Int) {
        tags[278] = nil
        (tags[322], tags[323]) = ([width], [height])
    }

    var bytes: Data {
        let isTiled = tags[322] != nil
        var tags = tags
        tags[isTiled ? 324 : 273] = pieces.map { _ in 0 }
        tags[isTiled ? 325 : 279] = counts ?? pieces.map(\.count)
        let profile = profile ?? []
        let entries = tags.count + (profile.isEmpty ? 0 : 1)
        let values = 8 + 2 + 12 * entries + 4
        let outside = tags.values.reduce(0) { $0 + ($1.count > 1 ? 4 * $1.count : 0) }
        var offset = values + outside + profile.count
        tags[isTiled ? 324 : 273] = pieces.map { piece in
            defer { offset += piece.count }
            return offset
        }
        var (directory, arrays): ([UInt8], [UInt8]) = (little(entries, 2), [])
        for (tag, numbers) in tags.sorted(by: { $0.key < $1.key }) {
            directory += little(tag, 2) + little(4, 2) + little(numbers.count)
            directory += little(numbers.count > 1 ? values + arrays.count : numbers[0])
            if numbers.count > 1 { arrays += numbers.flatMap { little($0) } }
        }
        if !profile.isEmpty {
            directory += little(34675, 2) + little(7, 2) + little(profile.count)
            directory += little(values + arrays.count)
        }
        let head: [UInt8] = [0x49, 0x49, 42, 0] + little(8) + directory + little(0)
        return Data(head + arrays + profile + pieces.flatMap(\.self))
    }
}

private func little(_ value: Int, _ bytes: Int = 4) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
