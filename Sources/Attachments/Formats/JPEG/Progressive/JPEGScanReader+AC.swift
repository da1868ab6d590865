/// Passes over bands of AC coefficients; these scans have a single component.
extension JPEGScanReader {
    mutating func decodeFirstAC(
        _ units: Range<Int>, from start: Int, _ window: inout FileWindow
    ) throws(DecodingFault) {
        let codes = components[0].ac
        let plane = components[0].plane
        let (first, last, shift) = (scan.band.lowerBound, scan.band.upperBound, scan.shift)
        var bits = entropy.bits
        var run = endOfBandRun
        var unit = units.lowerBound
        while unit < units.upperBound {
            if run > 0 {
                let skipped = min(run, units.upperBound &- unit)
                run &-= skipped
                unit &+= skipped
                continue
            }
            if bits.next >= bits.checkpoint {
                entropy.bits = bits
                try entropy.replenish(from: &window)
                if entropy.isExhausted { return }
                bits = entropy.bits
            }
            let block = plane.coefficients + (start &+ unit) &* 64
            var nonZero = plane.masks[start &+ unit]
            var position = first
            while position <= last {
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
                    let category = symbol & 15
                    guard category != 0 else {
                        if symbol == 0xF0 {
                            position &+= 16
                            continue
                        }
                        run = 1 &<< (symbol &>> 4) &+ bits.take(symbol &>> 4) &- 1
                        break
                    }
                    position &+= symbol &>> 4
                    value = bits.takeValue(category)
                }
                if position > last {
                    try entropy.damage("a coefficient is outside the band of its scan")
                    position = min(position, 63)
                }
                let coefficient = Int16(truncatingIfNeeded: value &<< shift)
                let bit = 1 &<< UInt64(truncatingIfNeeded: position)
                block[position] = coefficient
                // Hostile values may be shifted out to 0.
                nonZero = coefficient == 0 ? nonZero & ~bit : nonZero | bit
                position &+= 1
            }
            plane.masks[start &+ unit] = nonZero
            unit &+= 1
        }
        entropy.bits = bits
        endOfBandRun = run
    }

    mutating func refineAC(
        _ units: Range<Int>, from start: Int, _ window: inout FileWindow
    ) throws(DecodingFault) {
        let codes = components[0].ac
        let plane = components[0].plane
        let (first, last) = (scan.band.lowerBound, scan.band.upperBound)
        let band = (UInt64.max &<< UInt64(first)) & (UInt64.max &>> UInt64(63 - last))
        let step = Int16(1) &<< Int16(scan.shift)
        var bits = entropy.bits
        var run = endOfBandRun
        for unit in units {
            let block = plane.coefficients + (start &+ unit) &* 64
            var nonZero = plane.masks[start &+ unit]
            // Positions of the band still ahead.
            var ahead = band
            if run > 0, nonZero & band == 0 {
                run &-= 1
                continue
            }
            if bits.next >= bits.checkpoint {
                entropy.bits = bits
                try entropy.replenish(from: &window)
                if entropy.isExhausted { return }
                bits = entropy.bits
            }
            while run == 0, ahead != 0 {
                bits.refill()
                let symbol = try checked(bits.takeSymbol(codes))
                var zerosToPass = symbol &>> 4
                var value: Int16 = 0
                if symbol & 15 != 0 {
                    if symbol & 15 != 1 { try entropy.damage("a new coefficient is too large") }
                    value = bits.take(1) != 0 ? step : 0 &- step
                } else if symbol != 0xF0 {
                    run = 1 &<< zerosToPass &+ bits.take(zerosToPass)
                    break
                }
                var zeros = ~nonZero & ahead
                while zerosToPass > 0 {
                    zeros &= zeros &- 1
                    zerosToPass &-= 1
                }
                // Position of the new coefficient. If the band has too few zeros, `slot` is 0 and
                // `below` is all ones.
                let slot = zeros & (0 &- zeros)
                let below = slot &- 1
                Self.refine(block, nonZero & ahead & below, step, &bits)
                ahead &= ~below & ~slot
                if value != 0 {
                    if slot == 0 { try entropy.damage("a coefficient is outside its band") }
                    // As in libjpeg, which writes the coefficient after the band.
                    let index = slot == 0 ? min(last + 1, 63) : slot.trailingZeroBitCount
                    block[index] = value
                    nonZero |= 1 &<< UInt64(truncatingIfNeeded: index)
                }
            }
            if run > 0 {
                Self.refine(block, nonZero & ahead, step, &bits)
                run &-= 1
            }
            plane.masks[start &+ unit] = nonZero
        }
        entropy.bits = bits
        endOfBandRun = run
    }

    @inline(__always)
    private static func refine(
        _ block: UnsafeMutablePointer<Int16>, _ positions: UInt64, _ step: Int16,
        _ bits: inout JPEGBitReader
    ) {
        var positions = positions
        while positions != 0 {
            if bits.count == 0 { bits.refillFully() }
            let position = positions.trailingZeroBitCount
            let value = block[position]
            // Branch-free, because the bit is random. The bit is already set only if a hostile file
            // refines it twice.
            let isSet = Int16(truncatingIfNeeded: 0 &- bits.take(1))
            let sign = value &>> 15
            if value & step == 0 { block[position] = value &+ (((step ^ sign) &- sign) & isSet) }
            positions &= positions &- 1
        }
    }
}
