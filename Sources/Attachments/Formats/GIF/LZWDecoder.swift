/// LZW decoder for the data of a frame (GIF89a, appendix F): codes grow to 12 bits, lowest bits
/// first.
///
/// A table entry holds the last one to eight bytes of a string and the code of the string before
/// them. Strings are written backwards in steps of eight bytes, most of them in one step.
struct LZWDecoder: ~Copyable {
    enum Stop {
        case endCode
        case endOfData
        case endOfFile
        case illegalCode
    }

    /// Longest string, in bytes: each entry extends another by one byte, and there are 4096.
    static let longestString = tableSize
    /// Overrun of a string beyond its end, in bytes: the last step always writes eight.
    static let overrun = 8

    /// Number of 12-bit codes.
    static let tableSize = 1 << 12

    private static let inputCapacity = 4 << 10

    private var source: GIFSubBlocks
    // Owned by this value. Indices into both tables have 12 bits or are compared with `tableSize`.
    private let suffixes: UnsafeMutablePointer<UInt64>
    private let links: UnsafeMutablePointer<Link>
    /// Data without sub-block lengths, and room for an eight-byte load at the last byte.
    private let input: UnsafeMutablePointer<UInt8>
    private var state: State
    /// Nil while more indices may follow.
    private(set) var stop: Stop?

    /// Opens the data of a frame, for a minimum code size of 0 to 11.
    init(_ source: consuming GIFSubBlocks, minimumCodeSize: Int) {
        self.init(source, state: State(minimumCodeSize: minimumCodeSize), stop: nil)
        suffixes.initialize(repeating: 0, count: Self.tableSize)
        links.initialize(repeating: Link(first: 0), count: Self.tableSize)
        input.initialize(repeating: 0, count: Self.inputCapacity + 8)
        for index in 0..<1 << minimumCodeSize {
            // libnsgif truncates longer indices to eight bits.
            let value = UInt8(truncatingIfNeeded: index)
            suffixes[index] = UInt64(value)
            links[index] = Link(first: value)
        }
    }

    private init(_ source: consuming GIFSubBlocks, state: State, stop: Stop?) {
        self.source = source
        self.state = state
        self.stop = stop
        suffixes = .allocate(capacity: Self.tableSize)
        links = .allocate(capacity: Self.tableSize)
        input = .allocate(capacity: Self.inputCapacity + 8)
    }

    deinit {
        suffixes.deallocate()
        links.deallocate()
        input.deallocate()
    }

    static var heapBytes: Int {
        tableSize * (MemoryLayout<UInt64>.stride + MemoryLayout<Link>.stride) + inputCapacity + 8
    }

    /// Read position in the file; codes still to decode may be up to 4 KiB before it.
    var offset: Int { source.offset }

    func copy() -> LZWDecoder {
        let copy = LZWDecoder(source.copy(), state: state, stop: stop)
        copy.suffixes.initialize(from: suffixes, count: Self.tableSize)
        copy.links.initialize(from: links, count: Self.tableSize)
        copy.input.initialize(from: input, count: Self.inputCapacity + 8)
        return copy
    }

    /// Writes indices from `start` on and returns their end; later bytes are overwritten.
    ///
    /// `output` has room for `limit`, the longest string and its overrun. No string starts at
    /// `limit` or beyond.
    mutating func decode(
        into output: UnsafeMutablePointer<UInt8>, from start: Int, until limit: Int
    ) throws(DecodingFault) -> Int {
        var count = start
        while stop == nil, count < limit {
            var state = self.state
            let pause = Self.run(
                &state, suffixes: suffixes, links: links, input: input, output: output,
                count: &count, limit: limit)
            self.state = state
            switch pause {
            case .full: break
            case .illegalCode: stop = .illegalCode
            case .endCode: stop = .endCode
            case .needsInput: try refill()
            }
        }
        return count
    }

    private mutating func refill() throws(DecodingFault) {
        if let end = source.end {
            stop = end == .file ? .endOfFile : .endOfData
            return
        }
        // At most two bytes: less than a code remains.
        let used = state.bitPosition >> 3
        let left = state.byteCount - used
        input.update(from: input + used, count: left)
        let room = UnsafeMutableBufferPointer(start: input + left, count: Self.inputCapacity - left)
        state.byteCount = left + (try source.read(into: room))
        state.bitPosition &= 7
    }
}
