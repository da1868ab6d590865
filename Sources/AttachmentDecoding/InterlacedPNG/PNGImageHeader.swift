/// The fields of the IHDR chunk (PNG specification, 11.2.1) of an interlaced picture.
struct PNGImageHeader {
    /// Bytes of the chunk's data.
    static let byteCount = 13

    /// The widest and the highest picture, in pixels: libpng's own limit for each side
    /// (`PNG_USER_WIDTH_MAX`), behind which whoever reads the simpler file would refuse it anyway.
    static let longestSide = 1_000_000

    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int
    /// Bits of a pixel: 1 to 64.
    let bitsPerPixel: Int
    private let bitDepth: UInt8
    private let colourType: UInt8

    /// The depths that each colour type may have (table 12), and its samples.
    private static let colourTypes: [UInt8: (depths: Set<UInt8>, samples: Int)] = [
        0: ([1, 2, 4, 8, 16], 1), 2: ([8, 16], 3), 3: ([1, 2, 4, 8], 1), 4: ([8, 16], 2),
        6: ([8, 16], 4),
    ]

    /// Reads the fields.
    ///
    /// - Parameters:
    ///   - data: The data of the chunk.
    ///   - offset: Where they stand in the file, in bytes from its start.
    /// - Throws: `corrupt`; `unsupported` for a picture that is not interlaced; `overCeiling`.
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
        guard let kind = Self.colourTypes[colourType], kind.depths.contains(bitDepth) else {
            throw DecodingFault(
                .corrupt, at: offset + 8, "colour type \(colourType) with \(bitDepth) bits")
        }
        bitsPerPixel = kind.samples * Int(bitDepth)
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

    /// The data of the header of the same picture without interlacing.
    var dataWithoutInterlacing: [UInt8] {
        [width, height].flatMap { side in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: side >> $0) }
        } + [bitDepth, colourType, 0, 0, 0]
    }

    /// What a row takes (7.2): the last byte may be used in part.
    ///
    /// - Parameter width: Of the row, in pixels, at most `longestSide`.
    /// - Returns: Bytes.
    func rowBytes(_ width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }
}
