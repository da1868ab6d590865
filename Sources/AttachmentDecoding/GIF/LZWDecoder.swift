/// Turns the codes of a frame's data into indices (GIF89a, appendix F): LZW with codes that grow to
/// twelve bits, lowest bits first.
///
/// A string is kept by its last one to eight bytes and the code of the string before them, so that
/// it is written in steps of eight bytes, backwards, and most strings in one.
struct LZWDecoder: ~Copyable {
    /// Why there are no more indices.
    enum Stop {
        /// The code that ends the data.
        case endCode
        /// The end of the data, without that code.
        case endOfData
        /// The end of the file within the data.
        case endOfFile
        /// A code that stands for nothing yet.
        case illegalCode
    }

    /// Longest string, in bytes: every entry is one longer than another, and 4096 are all there are.
    static let longestString = tableSize
    /// How far beyond its end a string may write, in bytes: the last step has eight always.
    static let overrun = 8

    /// As many strings as codes of twelve bits can stand for.
    static let tableSize = 1 << 12

    private static let inputCapacity = 4 << 10

    private var source: GIFSubBlocks
    // One allocation each, from the making of this value to its end; indices into both tables have
    // twelve bits, or are below `tableSize` by comparison.
    private let suffixes: UnsafeMutablePointer<UInt64>
    private let links: UnsafeMutablePointer<Link>
    /// Data without their lengths, and room for a load of eight bytes at the last of them.
    private let input: UnsafeMutablePointer<UInt8>
    private var state: State
    /// Why there are no more indices; nil as long as there may be.
    private(set) var stop: Stop?

    /// Opens the data of a frame.
    ///
    /// - Parameters:
    ///   - source: The data, at their beginning.
    ///   - minimumCodeSize: Bits of an index, 0 to 11.
    init(_ source: consuming GIFSubBlocks, minimumCodeSize: Int) {
        self.init(source, state: State(minimumCodeSize: minimumCodeSize), stop: nil)
        suffixes.initialize(repeating: 0, count: Self.tableSize)
        links.initialize(repeating: Link(first: 0), count: Self.tableSize)
        input.initialize(repeating: 0, count: Self.inputCapacity + 8)
        for index in 0..<1 << minimumCodeSize {
            // libnsgif keeps eight bits of a longer index.
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

    /// What a decoder holds beside its window, in bytes.
    static var heapBytes: Int {
        tableSize * (MemoryLayout<UInt64>.stride + MemoryLayout<Link>.stride) + inputCapacity + 8
    }

    /// Where the data are read, in bytes from the start of the file; codes that are not decoded yet
    /// may stand up to 4 KiB before it.
    var offset: Int { source.offset }

    /// Makes a decoder that goes on from the same place.
    ///
    /// - Returns: A decoder of its own.
    func copy() -> LZWDecoder {
        let copy = LZWDecoder(source.copy(), state: state, stop: stop)
        copy.suffixes.initialize(from: suffixes, count: Self.tableSize)
        copy.links.initialize(from: links, count: Self.tableSize)
        copy.input.initialize(from: input, count: Self.inputCapacity + 8)
        return copy
    }

    /// Writes indices until there are enough or no more.
    ///
    /// - Parameters:
    ///   - output: Room for `enough`, the longest string and its overrun.
    ///   - start: Where in the room to begin.
    ///   - enough: No string begins at this place or beyond.
    /// - Returns: Where the indices end in the room; what is beyond is overwritten.
    /// - Throws: `DecodingFault` with code `unreadable`.
    mutating func decode(
        into output: UnsafeMutablePointer<UInt8>, from start: Int, until enough: Int
    ) throws(DecodingFault) -> Int {
        var count = start
        while stop == nil, count < enough {
            var state = self.state
            let pause = Self.run(
                &state, suffixes: suffixes, links: links, input: input, output: output,
                count: &count, enough: enough)
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

    /// Moves what is left of the data to the front and reads more.
    private mutating func refill() throws(DecodingFault) {
        if let end = source.end {
            stop = end == .file ? .endOfFile : .endOfData
            return
        }
        // Less than a code is left: two bytes at most.
        let used = state.bitPosition >> 3
        let left = state.byteCount - used
        input.update(from: input + used, count: left)
        let room = UnsafeMutableBufferPointer(
            start: input + left, count: Self.inputCapacity - left)
        state.byteCount = left + (try source.read(into: room))
        state.bitPosition &= 7
    }
}
