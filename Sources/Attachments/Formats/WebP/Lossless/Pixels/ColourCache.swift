/// Recently used colours, indexed by a hash (RFC 9649, section 3.6.2.3).
final class ColourCache {
    static let sizes = 1...11

    let bits: Int
    fileprivate let colours: UnsafeMutablePointer<UInt32>

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

/// View of a colour cache that loops keep in registers; without a cache, it stores nothing.
struct CacheWindow {
    private let colours: UnsafeMutablePointer<UInt32>?
    private let shift: UInt32

    /// The cache must outlive the view.
    @inline(__always)
    init(_ cache: ColourCache?) {
        colours = cache?.colours
        shift = UInt32(32 - (cache?.bits ?? 1))
    }

    @inline(__always)
    subscript(index: Int) -> UInt32 { colours?[index] ?? 0 }

    @inline(__always)
    func insert(_ pixel: UInt32) {
        guard let colours else { return }
        colours[Int((pixel &* 0x1E35_A7BD) &>> shift)] = pixel
    }

    @inline(__always)
    func insert<Pixel>(_ pixels: PixelWindow<Pixel>, from position: Int, count: Int) {
        guard colours != nil else { return }
        for index in position..<position &+ count { insert(pixels[index]) }
    }
}
