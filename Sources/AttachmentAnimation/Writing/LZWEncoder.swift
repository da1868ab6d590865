/// Turns the indices of a frame into codes, row by row (GIF89a, appendix F).
///
/// It can take an index of a similar colour where that makes a known string longer, as the lossy mode
/// of gifsicle does; the difference is carried on to the next pixels, so that areas keep their mean
/// colour.
struct LZWEncoder {
    private var dictionary: LZWDictionary
    private let minimumCodeSize: Int
    private let colours: [SIMD4<Int32>]
    private let transparentIndex: UInt8
    /// The square of the difference from which on colours are not similar; 0 for none.
    private let lossiness: Int32
    private let output: OutputFile

    private var codeSize: Int
    /// The code of the longest string that the last indices are; nil in front of the first.
    private var prefix: Int?
    private var carried = SIMD4<Int32>.zero
    private var bits: UInt32 = 0
    private var bitCount = 0
    /// A sub-block: its length, and up to 255 bytes (section 15).
    private var block: [UInt8] = [0]

    /// Begins the data of a frame.
    ///
    /// - Parameters:
    ///   - palette: What indices stand for.
    ///   - lossiness: How far colours may differ to be taken for each other, in levels of a
    ///     channel; 0 for not at all.
    ///   - output: Gets the bytes.
    /// - Throws: As `OutputFile.write`.
    init(_ palette: Palette, lossiness: Int, to output: OutputFile) throws(EncodingStop) {
        // Two at least (appendix F).
        minimumCodeSize = max(2, palette.bits)
        dictionary = LZWDictionary(minimumCodeSize: minimumCodeSize)
        codeSize = minimumCodeSize + 1
        colours = palette.colours.map { colour in
            SIMD4(Int32(colour & 255), Int32(colour >> 8 & 255), Int32(colour >> 16 & 255), 0)
        }
        transparentIndex = palette.transparentIndex
        self.lossiness = Int32(lossiness * lossiness) * 4
        self.output = output
        block.reserveCapacity(256)
        try output.write([UInt8(minimumCodeSize)])
        try emit(1 << minimumCodeSize)
    }

    /// Encodes indices.
    ///
    /// - Parameter indices: Indices of the palette; those that others were taken for are changed.
    /// - Throws: As `OutputFile.write`.
    mutating func encode(
        _ indices: UnsafeMutableBufferPointer<UInt8>
    ) throws(EncodingStop) {
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
                try learn(before, index)
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
            let difference = wanted &- colours[Int(candidate)]
            let squares = difference &* difference
            // The weights of `ColourDistance`.
            return squares.x &+ 2 &* squares.y &+ squares.z
        }
        if let found { carried = ((wanted &- colours[Int(found.index)]) &* 3) &>> 2 }
        return found
    }

    private mutating func learn(_ before: Int, _ index: UInt8) throws(EncodingStop) {
        guard dictionary.next < LZWDictionary.capacity else {
            try emit(1 << minimumCodeSize)
            dictionary.clear()
            codeSize = minimumCodeSize + 1
            return
        }
        dictionary.add(before, index)
        // The decoder is one string behind.
        if dictionary.next - 1 == 1 << codeSize, codeSize < 12 { codeSize += 1 }
    }

    /// Ends the data.
    ///
    /// - Throws: As `OutputFile.write`.
    mutating func finish() throws(EncodingStop) {
        if let prefix { try emit(prefix) }
        // The decoder has learnt another string by the end code, which may need a bit more.
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
