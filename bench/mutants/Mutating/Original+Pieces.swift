/// Reads integers with bounds checks.
struct PieceReader {
    let bytes: [UInt8]

    /// A big-endian integer; nil beyond the end.
    func big(_ place: Int, _ count: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A little-endian integer; nil beyond the end.
    func little(_ place: Int, _ count: Int) -> Int? {
        guard place >= 0, place + count <= bytes.count else { return nil }
        return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension Original {
    /// The structural parts of a file: chunks, segments, boxes, blocks or entries.
    ///
    /// They are within the file and not empty. Boxes may contain other boxes.
    var pieces: [Range<Int>] {
        let reader = PieceReader(bytes: bytes)
        let pieces =
            switch structure {
            case .png: Self.chunks(from: 8) { reader.big($0, 4).map { $0 + 12 } }
            case .riff: Self.chunks(from: 12) { reader.little($0 + 4, 4).map { 8 + $0 + $0 % 2 } }
            case .jpeg: segments(reader)
            case .gif: blocks(reader)
            case .boxes: boxes(reader, 0..<bytes.count)
            case .tiff: entries(reader)
            case .bmp: fields(reader)
            case .codestream: headers
            }
        return pieces.filter { !$0.isEmpty && $0.upperBound <= bytes.count }
    }

    private static func chunks(from start: Int, length: (Int) -> Int?) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var place = start
        while let count = length(place) {
            pieces.append(place..<place + count)
            place += count
        }
        return pieces
    }

    /// Marker segments: ITU-T T.81, B.1.1.2.
    private func segments(_ reader: PieceReader) -> [Range<Int>] {
        var starts = bytes.indices.dropLast().filter { place in
            bytes[place] == 0xFF && bytes[place + 1] != 0 && bytes[place + 1] != 0xFF
        }
        starts.append(bytes.count)
        return zip(starts, starts.dropFirst()).map { $0..<$1 }
    }

    /// Extensions and images after the logical screen descriptor: GIF89a, 20 to 26.
    private func blocks(_ reader: PieceReader) -> [Range<Int>] {
        guard let flags = reader.big(10, 1) else { return [] }
        var place = 13 + (flags & 0x80 != 0 ? 3 << (flags & 7 + 1) : 0)
        var pieces = [0..<place]
        while let kind = reader.big(place, 1), kind != 0x3B {
            let start = place
            if kind == 0x2C, let flags = reader.big(place + 9, 1) {
                place += 11 + (flags & 0x80 != 0 ? 3 << (flags & 7 + 1) : 0)
            } else {
                place += 2
            }
            while let count = reader.big(place, 1), count > 0 { place += 1 + count }
            place += 1
            pieces.append(start..<place)
        }
        return pieces
    }

    /// Boxes and nested boxes: ISO/IEC 14496-12, 4.2.
    private func boxes(_ reader: PieceReader, _ range: Range<Int>) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var place = range.lowerBound
        while let count = reader.big(place, 4), count >= 8, place + count <= range.upperBound {
            let box = place..<place + count
            pieces.append(box)
            let kind = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            let head = ["meta": 12, "iinf": 14, "iref": 12, "iprp": 8, "ipco": 8][kind]
            if let head, count > head { pieces += boxes(reader, place + head..<box.upperBound) }
            place = box.upperBound
        }
        return pieces
    }

    /// The entries of the first directory: TIFF 6.0, section 2.
    private func entries(_ reader: PieceReader) -> [Range<Int>] {
        let number = { (place: Int, count: Int) in
            bytes[0] == 0x49 ? reader.little(place, count) : reader.big(place, count)
        }
        guard let start = number(4, 4), let count = number(start, 2) else { return [] }
        return [0..<8] + (0..<count).map { start + 2 + 12 * $0..<start + 14 + 12 * $0 }
    }

    /// The headers, whose fields are of bits, byte by byte, and the frames: ISO/IEC 18181-1.
    private var headers: [Range<Int>] {
        let end = min(48, bytes.count)
        return (0..<end).map { $0..<$0 + 1 } + [end..<bytes.count]
    }

    /// The fields of the headers, four bytes each, and the pixels: [MS-WMF] 2.2.2.
    private func fields(_ reader: PieceReader) -> [Range<Int>] {
        guard let header = reader.little(14, 4), let pixels = reader.little(10, 4) else {
            return []
        }
        let fields = stride(from: 2, to: min(14 + header, bytes.count - 4), by: 4)
        return fields.map { $0..<$0 + 4 } + [min(pixels, bytes.count)..<bytes.count]
    }
}
