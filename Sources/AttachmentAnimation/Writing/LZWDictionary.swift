/// The strings that an LZW encoder knows by their codes (GIF89a, appendix F).
struct LZWDictionary {
    /// As many codes as twelve bits have.
    static let capacity = 1 << 12
    private static let slotCount = 1 << 13

    /// Strings by a hash of their prefix and last index: above twelve bits that are the code, the
    /// prefix and the index, and a bit that says that there is one.
    private var slots = [UInt64](repeating: 0, count: slotCount)
    // The strings that are one index longer than another: the first of them, and each time the next.
    private var firstChild = [UInt16](repeating: 0, count: capacity)
    private var nextSibling = [UInt16](repeating: 0, count: capacity)
    private var lastIndex = [UInt8](repeating: 0, count: capacity)
    /// The code that the next string gets.
    private(set) var next = 0
    private let clearCode: Int

    /// Makes a dictionary of the strings of one index.
    ///
    /// - Parameter minimumCodeSize: Bits of an index, 2 to 8.
    init(minimumCodeSize: Int) {
        clearCode = 1 << minimumCodeSize
        next = clearCode + 2
        for index in 0..<clearCode { lastIndex[index] = UInt8(index) }
    }

    /// Forgets all strings of more than one index.
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

    /// Finds the string that is one index longer than another.
    ///
    /// - Parameters:
    ///   - prefix: The code of the other one.
    ///   - index: The index behind it.
    /// - Returns: Its code; nil when it is not known.
    @inline(__always)
    func code(of prefix: Int, _ index: UInt8) -> Int? {
        let key = Self.key(prefix, index)
        var slot = Self.slot(of: key)
        // Half of the slots are free at least.
        while slots[slot] != 0 {
            if slots[slot] & ~0xFFF == key { return Int(slots[slot] & 0xFFF) }
            slot = (slot &+ 1) & (Self.slotCount &- 1)
        }
        return nil
    }

    /// Adds a string; there must be a code left for it.
    ///
    /// - Parameters:
    ///   - prefix: The code of all but its last index.
    ///   - index: That.
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

    /// Finds, of the strings that are one index longer than another, the one that costs least.
    ///
    /// - Parameters:
    ///   - prefix: The code of the other one.
    ///   - limit: It must cost less than this.
    ///   - cost: What its last index costs.
    /// - Returns: Its code and last index; nil when none is below the limit.
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
