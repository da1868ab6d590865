/// The colours of the last pixels, each at the place that its bits choose (RFC 9649, section
/// 3.6.2.3).
final class ColourCache {
    /// What the largest cache holds on the heap, in bytes.
    static let mostBytes = 4 << 11
    /// The sizes that there are, in bits.
    static let sizes = 1...11

    /// The size, in bits of an index.
    let bits: Int
    /// As many colours as indices, all 0 at first.
    fileprivate let colours: UnsafeMutablePointer<UInt32>

    /// Reads the size of a cache; nil when there is none.
    ///
    /// - Parameter source: Where it stands.
    /// - Throws: `corrupt`, `truncated`, `unreadable`.
    init?(_ source: BitSource) throws(DecodingFault) {
        guard try source.readFlag() else { return nil }
        bits = try source.read(4)
        guard Self.sizes.contains(bits) else {
            throw source.fault(.corrupt, "a colour cache of \(bits) bits")
        }
        colours = .allocate(capacity: 1 << bits)
        colours.initialize(repeating: 0, count: 1 << bits)
    }

    deinit { colours.deallocate() }
}

/// The part of a colour cache that loops work on, in registers; of none, one that keeps nothing.
struct CacheWindow {
    private let colours: UnsafeMutablePointer<UInt32>?
    private let shift: UInt32

    /// Makes a window.
    ///
    /// - Parameter cache: The cache, which outlives the window.
    @inline(__always)
    init(_ cache: ColourCache?) {
        colours = cache?.colours
        shift = UInt32(32 - (cache?.bits ?? 1))
    }

    /// The colour at a place, below the size of the cache.
    @inline(__always)
    subscript(index: Int) -> UInt32 { colours?[index] ?? 0 }

    /// Keeps a colour; the index has as many bits as the cache.
    @inline(__always)
    func insert(_ pixel: UInt32) {
        guard let colours else { return }
        colours[Int((pixel &* 0x1E35_A7BD) &>> shift)] = pixel
    }

    /// Keeps the colours of pixels.
    @inline(__always)
    func insert<Pixel>(_ pixels: PixelWindow<Pixel>, from place: Int, count: Int) {
        guard colours != nil else { return }
        for index in place..<place &+ count { insert(pixels[index]) }
    }
}
