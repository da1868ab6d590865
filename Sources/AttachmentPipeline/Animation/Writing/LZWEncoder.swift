/// LZW-encodes the indices of a frame, row by row (GIF89a, appendix F).
///
/// Can replace an index by a similar colour if that extends a known string, like gifsicle's lossy
/// mode. The error carries over to the next pixels, so areas keep their mean colour.
struct LZWEncoder {
    private var dictionary: LZWDictionary
    private let minimumCodeSize: Int
    private let colours: [SIMD4<Int32>]
    private let transparentIndex: UInt8
    /// Squared distance from which colours are not similar; 0 disables replacement.
    private let lossiness: Int32
    private let output: OutputFile

    private var codeSize: Int
    /// Code of the longest string matching the last indices; nil before the first.
    private var prefix: Int?
    private var carried = SIMD4<Int32>.zero
    private var bits: UInt32 = 0
    private var bitCount = 0
    /// A sub-block: length byte and up to 255 bytes (section 15).
    private var block: [UInt8] = [0]

    /// Begins a frame's data; `lossiness` is the largest replaced difference in levels per channel,
    /// or 0.
    init(_ palette: Palette, lossiness: Int, to output: OutputFile) throws(EncodingStop) {
        // Two at least (appendix F).
        minimumCodeSize = max(2, palette.bits)
        dictionary = LZWDictionary(minimumCodeSize: minimumCodeSize)
        codeSize = minimumCodeSize + 1
        colours = palette.colours.map { SIMD4(channelsOf: $0) }
        transparentIndex = palette.transparentIndex
        self.lossiness = Int32(lossiness * lossiness) * 4
        self.output = output
        block.reserveCapacity(256)
        try output.write([UInt8(minimumCodeSize)])
        try emit(1 << minimumCodeSize)
    }

    /// Encodes indices and updates those that were replaced.
    mutating func encode(_ indices: UnsafeMutableBufferPointer<UInt8>) throws(EncodingStop) {
        for place in indices.indices {
            let index = indices[place]
            guard let before = prefix else {
                prefix = Int(index)
                continue
            }
            if let code = dictionary.code(of: before, index) {
                prefix = code
                carried = (carried &* 3) &>> 2
            } else if lossiness > 0, index != transparentIndex,
                let similar = similar(to: index, after: before)
            {
                indices[place] = similar.index
                prefix = similar.code
            } else {
                try emit(before)
                try addString(before, index)
                prefix = Int(index)
                carried = .zero
            }
        }
    }

    private mutating func similar(
        to index: UInt8, after before: Int
    ) -> (code: Int, index: UInt8)? {
        let wanted = colours[Int(index)] &+ carried
        let found = dictionary.cheapest(after: before, below: lossiness) { [colours] candidate in
            guard Int(candidate) < colours.count else { return .max }
            return ColourDistance.square(wanted &- colours[Int(candidate)])
        }
        if let found { carried = ((wanted &- colours[Int(found.index)]) &* 3) &>> 2 }
        return found
    }

    private mutating func addString(_ before: Int, _ index: UInt8) throws(EncodingStop) {
        guard dictionary.next < LZWDictionary.capacity else {
            try emit(1 << minimumCodeSize)
            dictionary.clear()
            codeSize = minimumCodeSize + 1
            return
        }
        dictionary.add(before, index)
        // The decoder lags one string behind.
        if dictionary.next - 1 == 1 << codeSize, codeSize < 12 { codeSize += 1 }
    }

    mutating func finish() throws(EncodingStop) {
        if let prefix { try emit(prefix) }
        // The decoder adds a string before the end code, which may need one more bit.
        if dictionary.next == 1 << codeSize, codeSize < 12 { codeSize += 1 }
        try emit((1 << minimumCodeSize) + 1)
        if bitCount > 0 { try append(UInt8(truncatingIfNeeded: bits)) }
        if block.count > 1 { try writeBlock() }
        try output.write([0])
    }

    private mutating func emit(_ code: Int) throws(EncodingStop) {
        bits |= UInt32(code) &<< UInt32(bitCount)
        bitCount += codeSize
        while bitCount >= 8 {
            try append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    private mutating func append(_ byte: UInt8) throws(EncodingStop) {
        block.append(byte)
        if block.count == 256 { try writeBlock() }
    }

    private mutating func writeBlock() throws(EncodingStop) {
        block[0] = UInt8(block.count - 1)
        try output.write(block)
        block.removeAll(keepingCapacity: true)
        block.append(0)
    }
}
