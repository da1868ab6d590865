/// Strings of an LZW encoder, by code (GIF89a, appendix F).
struct LZWDictionary {
    static let capacity = 1 << 12
    private static let slotCount = 1 << 13

    /// Open-addressed table of strings.
    ///
    /// A slot holds a used flag, the prefix and last index, and the code in the lowest twelve bits.
    private var slots = [UInt64](repeating: 0, count: slotCount)
    // Strings that extend a prefix by one index, as linked lists: first child and next sibling.
    private var firstChild = [UInt16](repeating: 0, count: capacity)
    private var nextSibling = [UInt16](repeating: 0, count: capacity)
    private var lastIndex = [UInt8](repeating: 0, count: capacity)
    private(set) var next = 0
    private let clearCode: Int

    /// Creates a dictionary of single indices of 2 to 8 bits.
    init(minimumCodeSize: Int) {
        clearCode = 1 << minimumCodeSize
        next = clearCode + 2
        for index in 0..<clearCode { lastIndex[index] = UInt8(index) }
    }

    mutating func clear() {
        next = clearCode + 2
        slots.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
        firstChild.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    }

    @inline(__always)
    private static func key(_ prefix: Int, _ index: UInt8) -> UInt64 {
        1 << 32 | UInt64(prefix) << 20 | UInt64(index) << 12
    }

    @inline(__always)
    private static func slot(of key: UInt64) -> Int {
        // Fibonacci hashing (Knuth, volume 3, section 6.4).
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 51)
    }

    /// Code of a prefix extended by an index; nil if unknown.
    @inline(__always)
    func code(of prefix: Int, _ index: UInt8) -> Int? {
        let key = Self.key(prefix, index)
        var slot = Self.slot(of: key)
        // Ends, because at least half of the slots are free.
        while slots[slot] != 0 {
            if slots[slot] & ~0xFFF == key { return Int(slots[slot] & 0xFFF) }
            slot = (slot &+ 1) & (Self.slotCount &- 1)
        }
        return nil
    }

    /// Adds a prefix extended by an index; requires a free code.
    @inline(__always)
    mutating func add(_ prefix: Int, _ index: UInt8) {
        let key = Self.key(prefix, index)
        var slot = Self.slot(of: key)
        while slots[slot] != 0 { slot = (slot &+ 1) & (Self.slotCount &- 1) }
        slots[slot] = key | UInt64(next)
        lastIndex[next] = index
        nextSibling[next] = firstChild[prefix]
        firstChild[prefix] = UInt16(next)
        next &+= 1
    }

    /// Cheapest extension of a prefix, by the cost of its last index; nil if none is below the
    /// limit.
    func cheapest(
        after prefix: Int, below limit: Int32, _ cost: (UInt8) -> Int32
    ) -> (code: Int, index: UInt8)? {
        var (best, bestCost) = (0, limit)
        var child = Int(firstChild[prefix])
        while child != 0 {
            let childCost = cost(lastIndex[child])
            if childCost < bestCost { (best, bestCost) = (child, childCost) }
            child = Int(nextSibling[child])
        }
        return best == 0 ? nil : (best, lastIndex[best])
    }
}
