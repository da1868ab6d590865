internal import AttachmentModel

/// Codes of RLE8 and RLE4 ([MS-WMF] 3.1.6), and of OS/2's RLE24.
struct BMPRunCodes: ~Copyable {
    enum Code {
        /// Equal pixels, or two alternating ones of four bits.
        case run(Int)
        /// Pixels one by one.
        case literals(Int)
        case endOfRow
        case endOfPicture
        case skip(columns: Int, rows: Int)

        var columns: Int {
            switch self {
            case .run(let count), .literals(let count): count
            case .skip(let columns, _): columns
            case .endOfRow, .endOfPicture: 0
            }
        }
    }

    private var window: FileWindow
    private let bits: Int
    /// Bytes of a drawn pixel.
    let pixelBytes: Int

    /// Capacity of the window: small, because each row is read from its start.
    static let windowBytes = 4 << 10

    init(_ file: OpenFile, from start: Int, bits: Int) {
        window = FileWindow(
            file, over: min(start, file.length)..<file.length, capacity: Self.windowBytes)
        self.bits = bits
        pixelBytes = Self.pixelBytes(bits: bits)
    }

    static func pixelBytes(bits: Int) -> Int { bits == 24 ? 3 : 1 }

    var offset: Int { window.offset }

    mutating func seek(to offset: Int) { window.seek(to: offset) }

    /// Reads a code without its pixels; nil at the end of the file.
    mutating func next() throws(DecodingFault) -> Code? {
        guard let count = try window.readByte() else { return nil }
        guard count == 0 else { return .run(Int(count)) }
        switch try window.readByte() {
        case nil: return nil
        case 0: return .endOfRow
        case 1: return .endOfPicture
        case 2:
            guard let columns = try window.readByte(), let rows = try window.readByte() else {
                return nil
            }
            return .skip(columns: Int(columns), rows: Int(rows))
        case let count?: return .literals(Int(count))
        }
    }

    /// Skips the pixels of a code; false if the file ends within them.
    mutating func skipPixels(of code: Code) throws(DecodingFault) -> Bool {
        switch code {
        case .run: try skip(pixelBytes)
        case .literals(let count): try skip(literalBytes(count))
        case .endOfRow, .endOfPicture, .skip: true
        }
    }

    /// Draws the part of a run within the row.
    mutating func drawRun(
        _ count: Int, at column: Int, in row: inout [UInt8]
    ) throws(DecodingFault) {
        let end = min(row.count, (column + count) * pixelBytes)
        let start = column * pixelBytes
        if bits == 24 {
            guard let blue = try window.readByte(), let green = try window.readByte(),
                let red = try window.readByte()
            else { return }
            for index in stride(from: start, to: end, by: 3) {
                (row[index], row[index + 1], row[index + 2]) = (blue, green, red)
            }
        } else {
            guard let byte = try window.readByte() else { return }
            let (even, odd) = bits == 4 ? (byte >> 4, byte & 0xF) : (byte, byte)
            for index in start..<max(start, end) {
                row[index] = (index - start) % 2 == 0 ? even : odd
            }
        }
    }

    /// Draws the part of literal pixels within the row.
    mutating func drawLiterals(
        _ count: Int, at column: Int, in row: inout [UInt8]
    ) throws(DecodingFault) {
        let start = column * pixelBytes
        for place in 0..<literalBytes(count) {
            guard let byte = try window.readByte() else { return }
            if bits == 4 {
                let index = start + 2 * place
                if 2 * place < count, index < row.count { row[index] = byte >> 4 }
                if 2 * place + 1 < count, index + 1 < row.count { row[index + 1] = byte & 0xF }
            } else if place < count * pixelBytes, start + place < row.count {
                row[start + place] = byte
            }
        }
    }

    /// Bytes of literal pixels, padded to 16 bits.
    private func literalBytes(_ count: Int) -> Int {
        let bytes = bits == 4 ? (count + 1) / 2 : count * pixelBytes
        return bytes + bytes % 2
    }

    private mutating func skip(_ count: Int) throws(DecodingFault) -> Bool {
        for _ in 0..<count {
            guard try window.readByte() != nil else { return false }
        }
        return true
    }
}
