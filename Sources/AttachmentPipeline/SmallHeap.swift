internal import CVips

enum SmallHeap {
    static func trim() { thimble_trim_heap() }
}
