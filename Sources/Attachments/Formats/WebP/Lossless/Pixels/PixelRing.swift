/// Ring of the coded pixels that back-references may still reach, by the number of pixels before.
final class PixelRing {
    /// The longest distance is 2^20 − 120 pixels: 40 distance prefixes, whose first 120 codes
    /// denote neighbours (RFC 9649, section 3.6.2.2).
    static let maxPixels = 1 << 20
    /// Bytes that copies may write past their last pixel, which belong to the 120 pixels out of
    /// reach of back-references, or lie after the last position.
    static let overrun = 16
    /// `overrun` bytes follow the last pixel.
    let bytes: UnsafeMutablePointer<UInt8>
    let capacity: Int
    let mask: Int
    private let memory: FrameMemory

    /// For images of up to 2^28 pixels; nil scratch means the heap.
    init(pixels: Int, layout: RingLayout, scratch: ScratchSpace?) throws(DecodingFault) {
        capacity = min(pixels, Self.maxPixels)
        mask = pixels > Self.maxPixels ? Self.maxPixels - 1 : .max
        let held = capacity * layout.bytes + 2 * Self.overrun
        memory = try FrameMemory(losslessBytes: held, scratch: scratch)
        bytes = try memory.start()
    }
}

/// View of a ring that loops keep in registers.
struct PixelWindow<Pixel: RingPixel> {
    private let bytes: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private let mask: Int
    private let fill: UInt32

    /// The ring must have this pixel layout and outlive the view.
    @inline(__always)
    init(_ ring: PixelRing, fill: UInt32) {
        (bytes, capacity, mask, self.fill) = (ring.bytes, ring.capacity, ring.mask, fill)
    }

    /// The mask keeps indices in bounds, and a smaller ring holds the image.
    @inline(__always)
    subscript(position: Int) -> UInt32 {
        get { Pixel.load(UnsafePointer(bytes + (position & mask) &* Pixel.bytes), fill) }
        nonmutating set { Pixel.store(newValue, bytes + (position & mask) &* Pixel.bytes) }
    }

    /// Repeats pixels where the ranges overlap; stays inside the image, `distance` before
    /// `position`.
    @inline(__always)
    func copy(to position: Int, distance: Int, count: Int) {
        var (position, count) = (position, count)
        while count > 0 {
            let (to, from) = (position & mask, (position &- distance) & mask)
            // Neither range wraps within a piece.
            let piece = min(count, capacity &- to, capacity &- from)
            Self.copy(
                UnsafePointer(bytes + from &* Pixel.bytes), bytes + to &* Pixel.bytes,
                piece &* Pixel.bytes)
            position &+= piece
            count &-= piece
        }
    }

    /// Copies bytes upwards, up to `PixelRing.overrun` more than requested.
    @inline(__always)
    private static func copy(
        _ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        var (to, count) = (to, count)
        var gap = UnsafePointer(to) - from
        // Extend a short pattern until it is as long as one copy step.
        while gap > 0, gap < PixelRing.overrun, count > 0 {
            for index in 0..<min(gap, count) { to[index] = from[index] }
            to += gap
            count &-= gap
            gap &+= gap
        }
        var index = 0
        while index < count {
            let piece = UnsafeRawPointer(UnsafePointer(to) - gap + index)
                .loadUnaligned(as: SIMD16<UInt8>.self)
            UnsafeMutableRawPointer(to + index).storeBytes(of: piece, as: SIMD16<UInt8>.self)
            index &+= 16
        }
    }

    @inline(__always)
    func read(from position: Int, count: Int, into row: UnsafeMutablePointer<UInt32>) {
        var done = 0
        while done < count {
            let first = (position &+ done) & mask
            let piece = min(count &- done, capacity &- first)
            let (from, to) = (UnsafePointer(bytes + first &* Pixel.bytes), row + done)
            for index in 0..<piece { to[index] = Pixel.load(from + index &* Pixel.bytes, fill) }
            done &+= piece
        }
    }
}
