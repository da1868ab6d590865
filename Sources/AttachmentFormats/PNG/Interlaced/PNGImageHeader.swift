/// Fields of the IHDR chunk (PNG specification, 11.2.1) of an interlaced image.
struct PNGImageHeader {
    static let byteCount = 13

    /// Limit on each side in pixels.
    ///
    /// Matches libpng's own limit (`PNG_USER_WIDTH_MAX`), so the reader of the converted file would
    /// refuse more anyway.
    static let longestSide = 1_000_000

    let width: Int
    let height: Int
    /// 1 to 64.
    let bitsPerPixel: Int
    private let bitDepth: UInt8
    private let colourType: UInt8

    init(_ data: [UInt8], at offset: Int) throws(DecodingFault) {
        guard data.count == Self.byteCount else {
            throw DecodingFault(.corrupt, at: offset, "its header has \(data.count) bytes")
        }
        width = data[0..<4].reduce(0) { $0 << 8 | Int($1) }
        height = data[4..<8].reduce(0) { $0 << 8 | Int($1) }
        (bitDepth, colourType) = (data[8], data[9])
        guard width > 0, height > 0, max(width, height) <= Int(Int32.max) else {
            throw DecodingFault(.corrupt, at: offset, "its header claims \(width)×\(height) pixels")
        }
        guard let type = PNGColourType(rawValue: colourType), type.allows(bitDepth: Int(bitDepth))
        else {
            throw DecodingFault(
                .corrupt, at: offset + 8, "colour type \(colourType) with \(bitDepth) bits")
        }
        bitsPerPixel = type.samples * Int(bitDepth)
        guard data[10] == 0, data[11] == 0, data[12] <= 1 else {
            throw DecodingFault(
                .corrupt, at: offset + 10, "an unknown compression, filter or interlace method")
        }
        guard data[12] == 1 else {
            throw DecodingFault(.unsupported, at: offset + 12, "it is not interlaced")
        }
        guard max(width, height) <= Self.longestSide else {
            throw DecodingFault(
                .overCeiling, at: offset, "a side of more than \(Self.longestSide) pixels")
        }
    }

    var dataWithoutInterlacing: [UInt8] {
        [width, height].flatMap { side in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: side >> $0) }
        } + [bitDepth, colourType, 0, 0, 0]
    }

    /// Bytes in a row of at most `longestSide` pixels (7.2); the last byte may be partly used.
    func rowBytes(_ width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }
}
