extension JPEGScanReader {
    mutating func decodeFirstDC(
        _ units: Range<Int>, from start: Int, _ window: inout FileWindow
    ) throws(DecodingFault) {
        let shift = Int32(scan.shift)
        try decodeBlocks(units, from: start, &window) {
            (reader, bits, component, index, block) throws(DecodingFault) in
            let value = try reader.takeDC(&bits, component, index)
            // As in libjpeg, only 16 bits are kept, whatever hostile files add up.
            component.plane.coefficients[block &* component.plane.stride] =
                Int16(truncatingIfNeeded: value &<< shift)
        }
    }

    mutating func refineDC(
        _ units: Range<Int>, from start: Int, _ window: inout FileWindow
    ) throws(DecodingFault) {
        let bit = Int16(1) &<< Int16(scan.shift)
        try decodeBlocks(units, from: start, &window) {
            (_, bits, component, _, block) throws(DecodingFault) in
            bits.refill()
            if bits.take(1) != 0 {
                component.plane.coefficients[block &* component.plane.stride] |= bit
            }
        }
    }

    mutating func decodeSequential(
        _ units: Range<Int>, from start: Int, _ window: inout FileWindow
    ) throws(DecodingFault) {
        try decodeBlocks(units, from: start, &window) {
            (reader, bits, component, index, block) throws(DecodingFault) in
            let value = try reader.takeDC(&bits, component, index)
            let plane = component.plane
            plane.coefficients[block &* plane.stride] = Int16(truncatingIfNeeded: value)
            if plane.stride == 1 {
                try reader.skipAC(&bits, component.ac)
            } else {
                try reader.takeAC(
                    &bits, component.ac, plane.coefficients + block &* 64, plane.masks + block)
            }
        }
    }

    /// Visits the blocks of units in data order (T.81, A.2.3); `start` is the first of the line.
    @inline(__always)
    private mutating func decodeBlocks(
        _ units: Range<Int>, from start: Int, _ window: inout FileWindow,
        _ body: (
            _ reader: inout JPEGScanReader, _ bits: inout JPEGBitReader, _ component: Component,
            _ index: Int, _ block: Int
        ) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        var bits = entropy.bits
        for unit in units {
            for index in 0..<components.count {
                let component = components[index]
                for line in 0..<component.down {
                    let first = start &+ line &* component.plane.columns &+ unit &* component.across
                    for block in first..<first &+ component.across {
                        if bits.next >= bits.checkpoint {
                            entropy.bits = bits
                            try entropy.replenish(from: &window)
                            bits = entropy.bits
                            // Missing bits are zeros up to the end of the unit.
                            let isFirst = index == 0 && line == 0 && block == first
                            if isFirst, entropy.isExhausted { return }
                        }
                        try body(&self, &bits, component, index, block)
                    }
                }
            }
        }
        entropy.bits = bits
    }

    @inline(__always)
    private mutating func takeDC(
        _ bits: inout JPEGBitReader, _ component: Component, _ index: Int
    ) throws(DecodingFault) -> Int32 {
        bits.refill()
        let entry = component.dc.entries[bits.peek(JPEGHuffmanCodes.width)]
        let length = Int(entry &>> 4 & 15)
        let difference: Int32
        if length != 0 {
            bits.skip(length)
            difference = Int32(truncatingIfNeeded: Int32(bitPattern: entry) &>> 16)
        } else {
            let category = try checked(bits.takeSymbol(component.dc))
            difference = Int32(truncatingIfNeeded: bits.takeValue(category))
        }
        predictions[index] &+= difference
        return predictions[index]
    }

    @inline(__always)
    private mutating func takeAC(
        _ bits: inout JPEGBitReader, _ codes: JPEGHuffmanCodes,
        _ block: UnsafeMutablePointer<Int16>, _ mask: UnsafeMutablePointer<UInt64>
    ) throws(DecodingFault) {
        var nonZero = mask.pointee
        var position = 1
        while position < 64 {
            bits.refill()
            let entry = codes.entries[bits.peek(JPEGHuffmanCodes.width)]
            let length = Int(entry &>> 4 & 15)
            let value: Int
            if length != 0 {
                bits.skip(length)
                position &+= Int(entry &>> 12 & 15)
                value = Int(Int32(bitPattern: entry) &>> 16)
            } else {
                let symbol = try checked(bits.takeSymbol(codes))
                guard symbol & 15 != 0 else {
                    if symbol != 0xF0 { break }
                    position &+= 16
                    continue
                }
                position &+= symbol &>> 4
                value = bits.takeValue(symbol & 15)
            }
            if position > 63 {
                try entropy.damage("a block has more than 64 coefficients")
                position = 63
            }
            block[position] = Int16(truncatingIfNeeded: value)
            nonZero |= 1 &<< UInt64(truncatingIfNeeded: position)
            position &+= 1
        }
        mask.pointee = nonZero
    }

    @inline(__always)
    private mutating func skipAC(
        _ bits: inout JPEGBitReader, _ codes: JPEGHuffmanCodes
    ) throws(DecodingFault) {
        var position = 1
        while position < 64 {
            bits.refill()
            let symbol = try checked(bits.takeSymbol(codes))
            if symbol & 15 == 0, symbol != 0xF0 { break }
            bits.skip(symbol & 15)
            position &+= symbol &>> 4 &+ 1
        }
    }
}
