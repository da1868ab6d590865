/// Encodes blocks of coefficients as one sequential scan of all components (T.81, F.1.2).
final class JPEGBlockEncoder {
    /// Limit on the bytes of a block: 64 codes of up to 16 bits with values of up to 15, all bytes
    /// stuffed.
    static let maxBlockBytes = 512

    /// Huffman tables in the order of the stream: DC 0 and 1, AC 0 and 1.
    static let specifications: [JPEGHuffmanSpecification] = [
        .dcLuminance.extended(as: .dc), .dcChrominance.extended(as: .dc),
        .acLuminance.extended(as: .ac), .acChrominance.extended(as: .ac),
    ]

    private struct Component {
        let plane: JPEGCoefficientRow.Plane
        let needed: UInt64
        let across: Int
        let down: Int
        /// Code of each symbol above its length, which takes five bits.
        let dc: UnsafePointer<UInt32>
        let ac: UnsafePointer<UInt32>
    }

    /// Huffman table number of a component, 0 or 1; 0 is for luminance.
    static func table(of component: Int) -> UInt8 { component == 0 || component == 3 ? 0 : 1 }

    // Owned by this object.
    private let codes: UnsafeMutablePointer<UInt32>
    private let components: UnsafeMutableBufferPointer<Component>
    private var predictions = SIMD4<Int16>(repeating: 0)

    /// The row must outlive it; coefficients outside `neededCoefficients` become zeros.
    init(_ frame: JPEGFrameHeader, row: JPEGCoefficientRow, neededCoefficients: [UInt64]) {
        let codes = UnsafeMutablePointer<UInt32>.allocate(capacity: 4 * 256)
        codes.initialize(repeating: 0, count: 4 * 256)
        for (number, table) in Self.specifications.enumerated() {
            _ = table.forEachCode { code, length, position in
                codes[number * 256 + Int(table.symbols[position])] = UInt32(code << 5 | length)
            }
        }
        self.codes = codes
        components = .allocate(capacity: frame.components.count)
        for (index, component) in frame.components.enumerated() {
            let table = Int(Self.table(of: index))
            components.initializeElement(
                at: index,
                to: Component(
                    plane: row.planes[index], needed: neededCoefficients[index] & ~1,
                    across: component.horizontal, down: component.vertical,
                    dc: codes + table * 256, ac: codes + (2 + table) * 256))
        }
    }

    deinit {
        components.deallocate()
        codes.deallocate()
    }

    /// Clears the blocks for the next row; the writer needs room for ``maxBlockBytes`` per block.
    func encode(_ units: Range<Int>, to writer: inout JPEGBitWriter) {
        var output = writer
        var predictions = predictions
        for unit in units {
            for index in 0..<components.count {
                let component = components[index]
                for down in 0..<component.down {
                    let first = down &* component.plane.columns &+ unit &* component.across
                    for block in first..<first &+ component.across {
                        predictions[index] = Self.encode(
                            block, of: component, prediction: predictions[index], to: &output)
                    }
                }
            }
        }
        writer = output
        self.predictions = predictions
    }

    /// Encodes a block and returns its DC coefficient as a decoder computes it.
    @inline(__always)
    private static func encode(
        _ number: Int, of component: Component, prediction: Int16, to output: inout JPEGBitWriter
    ) -> Int16 {
        let block = component.plane.coefficients + number &* component.plane.stride
        // Decoders keep 16 bits of the sum, so only the lowest 16 bits of a difference count. The
        // one value without a code, −32768, occurs only in hostile files and becomes −32767.
        let difference = max(block[0] &- prediction, -Int16.max)
        append(Int(difference), after: 0, component.dc, to: &output)
        block[0] = 0
        let mask = component.plane.masks[number]
        guard mask != 0 else {
            append(symbol: 0, component.ac, to: &output)
            return prediction &+ difference
        }
        var positions = mask & component.needed
        var last = 0
        while positions != 0 {
            let position = positions.trailingZeroBitCount
            positions &= positions &- 1
            var run = position &- last &- 1
            last = position
            while run > 15 {
                append(symbol: 0xF0, component.ac, to: &output)
                run &-= 16
            }
            append(Int(max(block[position], -Int16.max)), after: run, component.ac, to: &output)
        }
        if last != 63 { append(symbol: 0, component.ac, to: &output) }
        block.update(repeating: 0, count: component.plane.stride)
        component.plane.masks[number] = 0
        return prediction &+ difference
    }

    /// Appends a value of −32767 to 32767 after a run of up to 15 zeros (T.81, F.1.2.1 and
    /// F.1.2.2).
    @inline(__always)
    private static func append(
        _ value: Int, after run: Int, _ codes: UnsafePointer<UInt32>, to output: inout JPEGBitWriter
    ) {
        let sign = value &>> 63
        let category = 64 &- ((value ^ sign) &- sign).leadingZeroBitCount
        // Negative values are stored minus one, in as many bits as their category.
        let bits = (value &+ sign) & ((1 &<< category) &- 1)
        let code = codes[run &<< 4 | category]
        output.append(
            (code &>> 5) &<< UInt32(truncatingIfNeeded: category)
                | UInt32(truncatingIfNeeded: bits), Int(code & 31) &+ category)
    }

    @inline(__always)
    private static func append(
        symbol: Int, _ codes: UnsafePointer<UInt32>, to output: inout JPEGBitWriter
    ) {
        output.append(codes[symbol] &>> 5, Int(codes[symbol] & 31))
    }
}
