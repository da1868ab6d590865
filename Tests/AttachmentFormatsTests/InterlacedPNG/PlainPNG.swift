import CZlib

/// Strict parser for non-interlaced PNGs that checks all checksums.
struct PlainPNG {
    struct Broken: Error {
        let reason: String
    }

    /// Data of the header chunk.
    let header: [UInt8]
    /// Chunks before and after the image data, without header and end.
    private(set) var before: [Chunk] = []
    private(set) var after: [Chunk] = []
    /// Unfiltered rows.
    private(set) var rows: [[UInt8]] = []
    /// Number of empty image-data chunks.
    private(set) var emptyChunks = 0

    struct Chunk: Equatable {
        let type: String
        let data: [UInt8]
    }

    init(_ file: [UInt8]) throws {
        var chunks = try Self.chunks(of: file)
        guard chunks.first?.type == "IHDR", chunks.last == Chunk(type: "IEND", data: []) else {
            throw Broken(reason: "no header or no end")
        }
        header = chunks.removeFirst().data
        chunks.removeLast()
        let stream = chunks.filter { $0.type == "IDAT" }
        guard let first = chunks.firstIndex(where: { $0.type == "IDAT" }),
            chunks[first...].prefix(while: { $0.type == "IDAT" }).count == stream.count
        else { throw Broken(reason: "no image data, or not together") }
        before = Array(chunks[..<first])
        after = Array(chunks[(first + stream.count)...])
        emptyChunks = stream.filter(\.data.isEmpty).count
        try readRows(stream.flatMap(\.data))
    }

    private static func chunks(of file: [UInt8]) throws -> [Chunk] {
        guard file.starts(with: InterlacedSample.signature) else { throw Broken(reason: "no PNG") }
        var chunks: [Chunk] = []
        var rest = file.dropFirst(8)
        while !rest.isEmpty {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard rest.count >= length + 12 else { throw Broken(reason: "a chunk is cut off") }
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            let data = Array(rest.dropFirst(8).prefix(length))
            guard rest.starts(with: InterlacedSample.chunk(type, data)) else {
                throw Broken(reason: "the checksum of \(type)")
            }
            chunks.append(Chunk(type: type, data: data))
            rest = rest.dropFirst(length + 12)
        }
        return chunks
    }

    private mutating func readRows(_ stream: [UInt8]) throws {
        let width = header[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let height = header[4..<8].reduce(0) { $0 << 8 | Int($1) }
        guard header[10...] == [0, 0, 0] else { throw Broken(reason: "it is interlaced") }
        let kind = InterlacedSample.Kind(colourType: header[9], bitDepth: header[8])
        let bits = width * kind.bitsPerPixel
        let rowBytes = (bits + 7) / 8
        var inflated = [UInt8](repeating: 0, count: (rowBytes + 1) * height)
        var count = uLong(inflated.count)
        guard uncompress(&inflated, &count, stream, uLong(stream.count)) == Z_OK,
            count == inflated.count
        else { throw Broken(reason: "the image data") }
        for start in stride(from: 0, to: inflated.count, by: rowBytes + 1) {
            guard inflated[start] == 0 else { throw Broken(reason: "a filter") }
            var row = Array(inflated[(start + 1)...(start + rowBytes)])
            if bits % 8 != 0 { row[rowBytes - 1] &= 0xFF << UInt8(8 - bits % 8) }
            rows.append(row)
        }
    }
}
