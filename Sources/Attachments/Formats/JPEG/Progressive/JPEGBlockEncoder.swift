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
        /// First symbols of its tables.
        let dc: Int
        let ac: Int
    }

    /// Huffman table number of a component, 0 or 1; 0 is for luminance.
    static func table(of component: Int) -> UInt8 { component == 0 || component == 3 ? 0 : 1 }

    /// Symbols of all tables: 256 of each.
    static let symbolCount = 4 * 256

    // Owned by this object: the code of each symbol above its length, which takes five bits.
    private let codes: UnsafeMutablePointer<UInt32>
    private let components: UnsafeMutableBufferPointer<Component>
    private var predictions = SIMD4<Int16>(repeating: 0)

    /// The row must outlive it; coefficients outside `neededCoefficients` become zeros.
    init(
        _ frame: JPEGFrameHeader, row: JPEGCoefficientRow, neededCoefficients: [UInt64],
        specifications: [JPEGHuffmanSpecification] = specifications
    ) {
        let codes = UnsafeMutablePointer<UInt32>.allocate(capacity: Self.symbolCount)
        codes.initialize(repeating: 0, count: Self.symbolCount)
        for (number, table) in specifications.enumerated() {
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
                    dc: table * 256, ac: (2 + table) * 256))
        }
    }

    deinit {
        components.deallocate()
        codes.deallocate()
    }

    /// Clears the blocks for the next row; the writer needs room for ``maxBlockBytes`` per block.
    func encode(_ units: Range<Int>, to writer: inout JPEGBitWriter) {
        var output = JPEGCodeWriter(writer: writer, codes: codes)
        put(units, to: &output)
        writer = output.writer
    }

    /// Counts the symbols instead of writing them, into `counts` of ``symbolCount`` numbers.
    func count(_ units: Range<Int>, in counts: UnsafeMutablePointer<UInt32>) {
        var output = JPEGSymbolCounter(counts: counts)
        put(units, to: &output)
    }

    @inline(__always)
    private func put(_ units: Range<Int>, to output: inout some JPEGSymbolOutput) {
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
        self.predictions = predictions
    }

    /// Encodes a block and returns its DC coefficient as a decoder computes it.
    @inline(__always)
    private static func encode(
        _ number: Int, of component: Component, prediction: Int16,
        to output: inout some JPEGSymbolOutput
    ) -> Int16 {
        let block = component.plane.coefficients + number &* component.plane.stride
        // Decoders keep 16 bits of the sum, so only the lowest 16 bits of a difference count. The
        // one value without a code, −32768, occurs only in hostile files and becomes −32767.
        let difference = max(block[0] &- prediction, -Int16.max)
        append(Int(difference), after: 0, component.dc, to: &output)
        block[0] = 0
        let mask = component.plane.masks[number]
        guard mask != 0 else {
            output.put(component.ac, 0, 0)
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
                output.put(component.ac &+ 0xF0, 0, 0)
                run &-= 16
            }
            append(Int(max(block[position], -Int16.max)), after: run, component.ac, to: &output)
        }
        if last != 63 { output.put(component.ac, 0, 0) }
        block.update(repeating: 0, count: component.plane.stride)
        component.plane.masks[number] = 0
        return prediction &+ difference
    }

    /// Appends a value of −32767 to 32767 after a run of up to 15 zeros (T.81, F.1.2.1 and
    /// F.1.2.2).
    @inline(__always)
    private static func append(
        _ value: Int, after run: Int, _ table: Int, to output: inout some JPEGSymbolOutput
    ) {
        let sign = value &>> 63
        let category = 64 &- ((value ^ sign) &- sign).leadingZeroBitCount
        // Negative values are stored minus one, in as many bits as their category.
        let bits = (value &+ sign) & ((1 &<< category) &- 1)
        output.put(table &+ (run &<< 4 | category), UInt32(truncatingIfNeeded: bits), category)
    }
}

/// Destination of the symbols of blocks.
private protocol JPEGSymbolOutput {
    /// Takes a symbol, counted over all tables, with the `length` bits that follow it.
    mutating func put(_ symbol: Int, _ bits: UInt32, _ length: Int)
}

private struct JPEGCodeWriter: JPEGSymbolOutput {
    var writer: JPEGBitWriter
    let codes: UnsafePointer<UInt32>

    @inline(__always)
    mutating func put(_ symbol: Int, _ bits: UInt32, _ length: Int) {
        let code = codes[symbol]
        writer.append(
            (code &>> 5) &<< UInt32(truncatingIfNeeded: length) | bits, Int(code & 31) &+ length)
    }
}

private struct JPEGSymbolCounter: JPEGSymbolOutput {
    let counts: UnsafeMutablePointer<UInt32>

    @inline(__always)
    mutating func put(_ symbol: Int, _ bits: UInt32, _ length: Int) { counts[symbol] &+= 1 }
}
