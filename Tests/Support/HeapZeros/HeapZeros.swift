import CScratchHeap
import Foundation

/// Counts non-zero bytes in reused blocks of the worker's heap, per allocation function, and prints
/// them as JSON; with the argument `confined`, allocates more than a confined range has.
///
/// Looks up the functions at run time, because a compiler may treat their results as undefined.
@main
struct HeapZeros {
    private typealias Malloc = @convention(c) (Int) -> UnsafeMutableRawPointer?
    private typealias Realloc =
        @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?
    private typealias Memalign = @convention(c) (Int, Int) -> UnsafeMutableRawPointer?
    private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void

    private static let malloc: Malloc = function("malloc")
    private static let calloc: Memalign = function("calloc")
    private static let realloc: Realloc = function("realloc")
    private static let memalign: Memalign = function("memalign")
    private static let alignedAlloc: Memalign = function("aligned_alloc")
    private static let free: Free = function("free")

    /// From just above the limit for zeroing to sizes that glibc maps separately.
    private static let sizes = [4097, 5000, 8192, 20_000, 65_536, 70_000, 200_000, 1 << 20]

    static func main() throws {
        // A call to the worker's heap links it in.
        guard thimble_heap_prepare() else { exit(2) }
        if CommandLine.arguments.contains("confined") { return exceedRange() }
        var dirty: [String: Int] = [:]
        for size in sizes {
            dirty["malloc", default: 0] += count(size) { malloc(size) }
            dirty["calloc", default: 0] += count(size) { calloc(1, size) }
            dirty["realloc of nothing", default: 0] += count(size) { realloc(nil, size) }
            for before in [16, 4096, 5000, 66_000] where before + 32 < size {
                // Only the added bytes must be zeros.
                dirty["realloc", default: 0] += count(size, from: before + 32) {
                    realloc(malloc(before), size)
                }
            }
            for alignment in [16, 64, 4096] {
                dirty["memalign", default: 0] += count(size) { memalign(alignment, size) }
                let whole = (size + alignment - 1) / alignment * alignment
                dirty["aligned_alloc", default: 0] += count(whole) {
                    alignedAlloc(alignment, whole)
                }
            }
        }
        try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(dirty))
    }

    /// Does not return.
    private static func exceedRange() {
        let range = thimble_heap_take(1 << 20)
        thimble_heap_confine(range, 65)
        _ = thimble_heap_place(range)
        // Small blocks stay on the heap.
        free(malloc(1 << 10))
        _ = malloc(1 << 20)
    }

    /// Fills and frees memory, then counts the non-zero bytes of a new block.
    private static func count(
        _ size: Int, from start: Int = 0, _ take: () -> UnsafeMutableRawPointer?
    ) -> Int {
        var blocks: [UnsafeMutableRawPointer] = []
        for length in sizes + sizes.reversed() {
            for part in [length, 3000, length / 2] {
                guard let block = malloc(part) else { exit(3) }
                memset(block, 0xA5, part)
                blocks.append(block)
            }
        }
        // Freeing every other block first leaves holes.
        for step in [0, 1] {
            for index in stride(from: step, to: blocks.count, by: 2) { free(blocks[index]) }
        }
        guard let block = take() else { exit(3) }
        defer { free(block) }
        return (start..<size).count { block.load(fromByteOffset: $0, as: UInt8.self) != 0 }
    }

    private static func function<Function>(_ name: String) -> Function {
        guard let address = dlsym(nil, name) else { exit(4) }
        return unsafeBitCast(address, to: Function.self)
    }
}
