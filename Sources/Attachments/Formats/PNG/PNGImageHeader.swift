/// Fields of an IHDR chunk (PNG specification, 11.2.1); readers check them, each with its limits.
struct PNGImageHeader: Sendable {
    static let byteCount = 13

    /// libpng's own limit on each side in pixels (`PNG_USER_WIDTH_MAX`).
    static let longestSide = 1_000_000

    let width: Int
    let height: Int
    let bitDepth: Int
    let typeNumber: UInt8
    /// Compression, filter and interlace methods.
    let methods: [UInt8]

    /// Reads the data of a chunk of `byteCount` bytes.
    init(_ data: [UInt8]) {
        width = data[0..<4].reduce(0) { $0 << 8 | Int($1) }
        height = data[4..<8].reduce(0) { $0 << 8 | Int($1) }
        (bitDepth, typeNumber) = (Int(data[8]), data[9])
        methods = Array(data[10..<13])
    }

    /// Nil for an unknown type or a bit depth that it does not allow.
    var colourType: PNGColourType? {
        PNGColourType(rawValue: typeNumber).flatMap { $0.allows(bitDepth: bitDepth) ? $0 : nil }
    }

    /// 1 to 64 for a known colour type.
    var bitsPerPixel: Int { (colourType?.samples ?? 0) * bitDepth }

    var isInterlaced: Bool { methods[2] == 1 }

    var dataWithoutInterlacing: [UInt8] {
        [width, height].flatMap { [UInt8]($0, bytes: 4, bigEndian: true) }
            + [UInt8(bitDepth), typeNumber, 0, 0, 0]
    }

    /// Bytes in a row of at most `longestSide` pixels (7.2); the last byte may be partly used.
    func rowBytes(_ width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }
}

/// Checks of decoders; `offset` is where the chunk's data begin.
extension PNGImageHeader {
    func checkSize(upTo limit: Int, at offset: Int) throws(DecodingFault) {
        guard width > 0, height > 0, max(width, height) <= limit else {
            throw DecodingFault(.corrupt, at: offset, "its header claims \(width)×\(height) pixels")
        }
    }

    func checkedColourType(at offset: Int) throws(DecodingFault) -> PNGColourType {
        guard let colourType else {
            throw DecodingFault(
                .corrupt, at: offset + 8, "colour type \(typeNumber) with \(bitDepth) bits")
        }
        return colourType
    }

    func checkMethods(at offset: Int) throws(DecodingFault) {
        guard methods[0] == 0, methods[1] == 0, methods[2] <= 1 else {
            throw DecodingFault(
                .corrupt, at: offset + 10, "an unknown compression, filter or interlace method")
        }
    }
}
