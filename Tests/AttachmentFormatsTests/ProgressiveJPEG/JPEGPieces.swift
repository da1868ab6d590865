/// A JPEG split into segments; a scan includes its data.
struct JPEGPieces {
    struct Piece: Equatable {
        var marker: UInt8
        /// Body without marker and length.
        var body: [UInt8]
        /// Entropy-coded data after a scan header.
        var data: [UInt8] = []
        var isAlone: Bool { marker == 0xD8 || marker == 0xD9 }

        var bytes: [UInt8] {
            let length = body.count + 2
            let head = [0xFF, marker]
            return isAlone
                ? head : head + [UInt8(length >> 8), UInt8(length & 255)] + body + data
        }
    }

    var pieces: [Piece] = []

    init(_ bytes: [UInt8]) {
        var next = 0
        while next + 1 < bytes.count {
            let marker = bytes[next + 1]
            var piece = Piece(marker: marker, body: [])
            next += 2
            if !piece.isAlone {
                let length = Int(bytes[next]) << 8 | Int(bytes[next + 1])
                piece.body = Array(bytes[next + 2..<next + length])
                next += length
            }
            if marker == 0xDA {
                let start = next
                while next + 1 < bytes.count,
                    bytes[next] != 0xFF || bytes[next + 1] == 0
                        || (0xD0...0xD7).contains(bytes[next + 1])
                {
                    next += 1
                }
                piece.data = Array(bytes[start..<next])
            }
            pieces.append(piece)
        }
    }

    var bytes: [UInt8] { pieces.flatMap(\.bytes) }

    func all(_ marker: UInt8) -> [Piece] { pieces.filter { $0.marker == marker } }

    /// Ranges of pieces per scan, including the Huffman tables before it.
    var scans: [Range<Int>] {
        var ranges: [Range<Int>] = []
        for (index, piece) in pieces.enumerated() where piece.marker == 0xDA {
            var start = index
            while [0xC4, 0xDD].contains(pieces[start - 1].marker) { start -= 1 }
            ranges.append(start..<index + 1)
        }
        return ranges
    }
}
