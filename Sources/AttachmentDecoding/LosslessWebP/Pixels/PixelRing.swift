/// The coded pixels that back-references may still reach, and a few more.
///
/// A place in the picture is the number of pixels in front of it, row by row.
final class PixelRing {
    /// The pixels that are kept at most: the farthest back-reference is 2^20 − 120 pixels long
    /// (RFC 9649, section 3.6.2.2: 40 prefixes of distances, of which the first 120 codes are
    /// neighbours).
    static let mostPixels = 1 << 20
    /// Copies write up to so many bytes behind their last pixel.
    ///
    /// They belong to the 120 pixels that no back-reference reaches any more, or lie behind the
    /// last place.
    static let overrun = 16
    /// The first pixel's bytes, and `overrun` behind the last.
    let bytes: UnsafeMutablePointer<UInt8>
    /// Pixels in the ring.
    let capacity: Int
    /// What leaves of a place its index in the ring.
    let mask: Int
    private let memory: FrameMemory

    /// What a ring holds, in bytes.
    ///
    /// - Parameters:
    ///   - pixels: Those of the picture.
    ///   - pixelBytes: What each takes.
    /// - Returns: The bytes.
    static func heldBytes(pixels: Int, pixelBytes: Int) -> Int {
        min(pixels, mostPixels) * pixelBytes + 2 * overrun
    }

    /// Makes a ring of zeros.
    ///
    /// - Parameters:
    ///   - pixels: Those of the picture, at most 2^28.
    ///   - layout: How each is kept.
    ///   - scratch: Where a long ring lies; nil for the heap.
    /// - Throws: `overCeiling`, `scratch`.
    init(pixels: Int, layout: RingLayout, scratch: ScratchSpace?) throws(DecodingFault) {
        capacity = min(pixels, Self.mostPixels)
        mask = pixels > Self.mostPixels ? Self.mostPixels - 1 : .max
        let held = Self.heldBytes(pixels: pixels, pixelBytes: layout.bytes)
        memory = try FrameMemory(losslessBytes: held, scratch: scratch)
        bytes = try memory.start()
    }
}

/// The part of a ring that loops work on, in registers.
struct PixelWindow<Pixel: RingPixel> {
    private let bytes: UnsafeMutablePointer<UInt8>
    private let capacity: Int
    private let mask: Int
    private let fill: UInt32

    /// Makes a window.
    ///
    /// - Parameters:
    ///   - ring: A ring of pixels of this kind, which outlives the window.
    ///   - fill: The channels that are not kept.
    @inline(__always)
    init(_ ring: PixelRing, fill: UInt32) {
        (bytes, capacity, mask, self.fill) = (ring.bytes, ring.capacity, ring.mask, fill)
    }

    /// The pixel at a place that the ring still has; indices are below the capacity by the mask,
    /// or since no place is beyond the picture.
    @inline(__always)
    subscript(place: Int) -> UInt32 {
        get { Pixel.load(UnsafePointer(bytes + (place & mask) &* Pixel.bytes), fill) }
        nonmutating set { Pixel.store(newValue, bytes + (place & mask) &* Pixel.bytes) }
    }

    /// Copies pixels from a place before, one after the other: they may overlap.
    ///
    /// - Parameters:
    ///   - place: Where to.
    ///   - distance: How far before it they are, in pixels; at most `place` and the farthest.
    ///   - count: How many, at most to the end of the picture.
    @inline(__always)
    func copy(to place: Int, distance: Int, count: Int) {
        var (place, count) = (place, count)
        while count > 0 {
            let (to, from) = (place & mask, (place &- distance) & mask)
            // Neither side passes the end of the ring within a piece.
            let piece = min(count, capacity &- to, capacity &- from)
            Self.copy(
                UnsafePointer(bytes + from &* Pixel.bytes), bytes + to &* Pixel.bytes,
                piece &* Pixel.bytes)
            place &+= piece
            count &-= piece
        }
    }

    /// Copies bytes upwards, up to `PixelRing.overrun` more than asked for.
    @inline(__always)
    private static func copy(
        _ from: UnsafePointer<UInt8>, _ to: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        var (to, count) = (to, count)
        var gap = UnsafePointer(to) - from
        // What repeats within fewer bytes than are copied at once is doubled until it does not.
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

    /// Reads pixels.
    ///
    /// - Parameters:
    ///   - place: The first of them; all are still in the ring.
    ///   - count: How many.
    ///   - row: Room for them.
    @inline(__always)
    func read(from place: Int, count: Int, into row: UnsafeMutablePointer<UInt32>) {
        var done = 0
        while done < count {
            let first = (place &+ done) & mask
            let piece = min(count &- done, capacity &- first)
            var from = UnsafePointer(bytes + first &* Pixel.bytes)
            for index in done..<done &+ piece {
                row[index] = Pixel.load(from, fill)
                from += Pixel.bytes
            }
            done &+= piece
        }
    }
}
