/// Strings of an LZW encoder, by code (GIF89a, appendix F).
final class LZWDictionary {
    static let capacity = 1 << 12
    private static let slotCount = 1 << 13

    // Owned by this object. Slot numbers have 13 bits, and codes and prefixes 12.
    /// Open-addressed table of strings.
    ///
    /// A slot holds the prefix, the last index, and the code in the lowest twelve bits. Codes of
    /// strings are above 0, which marks an empty slot.
    private let slots: UnsafeMutablePointer<UInt32>
    // Strings that extend a prefix by one index, as linked lists: first child and next sibling.
    private let firstChild: UnsafeMutablePointer<UInt16>
    private let nextSibling: UnsafeMutablePointer<UInt16>
    private let lastIndex: UnsafeMutablePointer<UInt8>
    private(set) var next = 0
    private var clearCode = 0
    private var hasChildren = false

    init() {
        slots = .allocate(capacity: Self.slotCount)
        firstChild = .allocate(capacity: Self.capacity)
        nextSibling = .allocate(capacity: Self.capacity)
        lastIndex = .allocate(capacity: Self.capacity)
        nextSibling.initialize(repeating: 0, count: Self.capacity)
        lastIndex.initialize(repeating: 0, count: Self.capacity)
        begin(minimumCodeSize: 8, hasChildren: true)
    }

    deinit {
        slots.deallocate()
        firstChild.deallocate()
        nextSibling.deallocate()
        lastIndex.deallocate()
    }

    /// Starts a frame with the strings of single indices of 2 to 8 bits; `hasChildren` is required by
    /// `cheapest`.
    func begin(minimumCodeSize: Int, hasChildren: Bool) {
        clearCode = 1 << minimumCodeSize
        self.hasChildren = hasChildren
        clear()
        guard hasChildren else { return }
        for index in 0..<clearCode { lastIndex[index] = UInt8(index) }
    }

    func clear() {
        next = clearCode + 2
        slots.initialize(repeating: 0, count: Self.slotCount)
        if hasChildren { firstChild.initialize(repeating: 0, count: Self.capacity) }
    }

    /// A prefix extended by an index, in 20 bits.
    @inline(__always)
    private static func key(_ prefix: Int, _ index: UInt8) -> UInt32 {
        UInt32(truncatingIfNeeded: prefix) << 8 | UInt32(index)
    }

    @inline(__always)
    private static func slot(of key: UInt32) -> Int {
        // Fibonacci hashing (Knuth, volume 3, section 6.4).
        Int((key &* 2_654_435_769) >> 19)
    }

    /// Code of a prefix extended by an index; nil if unknown.
    @inline(__always)
    func code(of prefix: Int, _ index: UInt8) -> Int? {
        let key = Self.key(prefix, index)
        var slot = Self.slot(of: key)
        // Ends, because at least half of the slots are free.
        while slots[slot] != 0 {
            if slots[slot] >> 12 == key { return Int(slots[slot] & 0xFFF) }
            slot = (slot &+ 1) & (Self.slotCount &- 1)
        }
        return nil
    }

    /// Adds a prefix extended by an index; requires a free code.
    @inline(__always)
    func add(_ prefix: Int, _ index: UInt8) {
        let key = Self.key(prefix, index)
        var slot = Self.slot(of: key)
        while slots[slot] != 0 { slot = (slot &+ 1) & (Self.slotCount &- 1) }
        slots[slot] = key << 12 | UInt32(truncatingIfNeeded: next)
        if hasChildren {
            lastIndex[next] = index
            nextSibling[next] = firstChild[prefix]
            firstChild[prefix] = UInt16(truncatingIfNeeded: next)
        }
        next &+= 1
    }

    /// Cheapest extension of a prefix, by the cost of its last index; nil if none is below the
    /// limit.
    @inline(__always)
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
