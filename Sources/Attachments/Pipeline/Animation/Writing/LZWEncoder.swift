/// LZW-encodes the indices of frames, row by row (GIF89a, appendix F).
///
/// Can replace an index by a similar colour if that extends a known string, like gifsicle's lossy
/// mode. The error carries over to the next pixels, so areas keep their mean colour.
final class LZWEncoder {
    private let dictionary = LZWDictionary()
    private let output: OutputFile
    /// Squared distance from which colours are not similar; 0 disables replacement.
    private let lossiness: Int32
    private var minimumCodeSize = 8
    private var colours: [SIMD4<Int32>] = []
    private var transparentIndex: UInt8 = 0

    private var codeSize = 9
    /// Code of the longest string matching the last indices; -1 before the first.
    private var prefix = -1
    private var carried = SIMD4<Int32>.zero
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var clearing = ClearingRule()
    /// A sub-block: length byte and up to 255 bytes (section 15).
    private var block: [UInt8] = [0]

    /// `lossiness` is the largest replaced difference in levels per channel, or 0.
    init(lossiness: Int, to output: OutputFile) {
        self.lossiness = Int32(lossiness * lossiness) * 4
        self.output = output
        block.reserveCapacity(256)
    }

    /// Begins a frame's data.
    func begin(_ palette: Palette) throws(EncodingStop) {
        // Two at least (appendix F).
        minimumCodeSize = max(2, palette.bits)
        dictionary.begin(minimumCodeSize: minimumCodeSize, hasChildren: lossiness > 0)
        codeSize = minimumCodeSize + 1
        if lossiness > 0 { colours = palette.colours.map { SIMD4(channelsOf: $0) } }
        transparentIndex = palette.transparentIndex
        (prefix, carried, bits, bitCount) = (-1, .zero, 0, 0)
        clearing = ClearingRule()
        block.removeAll(keepingCapacity: true)
        block.append(0)
        try output.write([UInt8(minimumCodeSize)])
        try emit(1 << minimumCodeSize)
    }

    /// Encodes indices, and updates the replaced ones in place.
    func encode(_ indices: UnsafeMutableBufferPointer<UInt8>) throws(EncodingStop) {
        var (prefix, carried) = (prefix, carried)
        for place in 0..<indices.count {
            let index = indices[place]
            guard prefix >= 0 else {
                prefix = Int(index)
                continue
            }
            if let code = dictionary.code(of: prefix, index) {
                prefix = code
                if lossiness > 0 { carried = (carried &* 3) &>> 2 }
            } else if lossiness > 0, index != transparentIndex,
                let similar = similar(to: index, after: prefix, &carried)
            {
                indices[place] = similar.index
                prefix = similar.code
            } else {
                try emit(prefix)
                try addString(prefix, index, at: place)
                prefix = Int(index)
                carried = .zero
            }
        }
        clearing.didEncode(indices.count)
        (self.prefix, self.carried) = (prefix, carried)
    }

    private func similar(
        to index: UInt8, after before: Int, _ carried: inout SIMD4<Int32>
    ) -> (code: Int, index: UInt8)? {
        let wanted = colours[Int(index)] &+ carried
        let found = colours.withUnsafeBufferPointer { colours in
            dictionary.cheapest(after: before, below: lossiness) { candidate in
                guard Int(candidate) < colours.count else { return .max }
                let difference = wanted &- colours[Int(candidate)]
                return ColourDistance.square(difference.x, difference.y, difference.z)
            }
        }
        if let found { carried = ((wanted &- colours[Int(found.index)]) &* 3) &>> 2 }
        return found
    }

    /// Adds a string, or clears a full table that no longer fits; `place` is the index's position.
    @inline(__always)
    private func addString(
        _ prefix: Int, _ index: UInt8, at place: Int
    ) throws(EncodingStop) {
        clearing.emitted(codeSize)
        guard dictionary.next < LZWDictionary.capacity else {
            guard clearing.isDue(at: place) else { return }
            clearing.clear(at: place)
            try emit(1 << minimumCodeSize)
            dictionary.clear()
            codeSize = minimumCodeSize + 1
            return
        }
        dictionary.add(prefix, index)
        // The decoder lags one string behind.
        if dictionary.next - 1 == 1 << codeSize, codeSize < 12 { codeSize += 1 }
    }

    func finish() throws(EncodingStop) {
        if prefix >= 0 { try emit(prefix) }
        // The decoder adds a string before the end code, which may need one more bit.
        if dictionary.next == 1 << codeSize, codeSize < 12 { codeSize += 1 }
        try emit((1 << minimumCodeSize) + 1)
        if bitCount > 0 { try append(UInt8(truncatingIfNeeded: bits)) }
        if block.count > 1 { try writeBlock() }
        try output.write([0])
    }

    @inline(__always)
    private func emit(_ code: Int) throws(EncodingStop) {
        bits |= UInt32(truncatingIfNeeded: code) &<< UInt32(truncatingIfNeeded: bitCount)
        bitCount &+= codeSize
        while bitCount >= 8 {
            try append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount &-= 8
        }
    }

    @inline(__always)
    private func append(_ byte: UInt8) throws(EncodingStop) {
        block.append(byte)
        if block.count == 256 { try writeBlock() }
    }

    private func writeBlock() throws(EncodingStop) {
        block[0] = UInt8(block.count - 1)
        try output.write(block)
        block.removeAll(keepingCapacity: true)
        block.append(0)
    }
}
