/// Converts the pixels of a frame to palette indices, row by row, with error diffusion.
///
/// Diffuses errors in alternating direction (Floyd and Steinberg, 1976). Unchanged pixels neither
/// receive nor pass on errors, so static areas do not flicker.
final class Ditherer {
    private typealias Levels = SIMD4<Int16>

    private let width: Int
    private var strength: Int16 = 0
    private var isBackwards = false
    // Errors for this row and the next in sixteenths, with one more pixel on either side: `width`
    // and two elements each, owned by this object. They stay below 16 times 255.
    private var current: UnsafeMutablePointer<SIMD4<Int16>>
    private var following: UnsafeMutablePointer<SIMD4<Int16>>

    /// Prepares for rows of up to `width` pixels.
    init(width: Int) {
        self.width = width
        current = .allocate(capacity: width + 2)
        following = .allocate(capacity: width + 2)
        begin(strength: 0)
    }

    deinit {
        current.deallocate()
        following.deallocate()
    }

    /// Starts a frame; `strength` is the diffused share in sixteenths.
    func begin(strength: Int) {
        self.strength = Int16(strength)
        isBackwards = false
        current.initialize(repeating: .zero, count: width + 2)
        following.initialize(repeating: .zero, count: width + 2)
    }

    /// Writes the indices of `count` pixels, at most `width`.
    ///
    /// Pixels of 0 stay unchanged, as do pixels whose new colour equals `shown`.
    func write(
        _ pixels: UnsafePointer<UInt32>, over shown: UnsafePointer<UInt32>, count: Int,
        to indices: UnsafeMutablePointer<UInt8>, _ search: NearestColour
    ) {
        let transparent = search.palette.transparentIndex
        search.palette.colours.withUnsafeBufferPointer { colours in
            // A search returns only indices of the palette.
            guard let colours = colours.baseAddress else { return }
            guard strength > 0 else {
                for x in 0..<count {
                    let index = pixels[x] == 0 ? transparent : search.index(of: pixels[x])
                    indices[x] =
                        index == transparent || colours[Int(index)] == shown[x]
                        ? transparent : index
                }
                return
            }
            diffuse(pixels, shown, count, indices, search, colours)
            swap(&current, &following)
            following.update(repeating: .zero, count: count + 2)
            isBackwards.toggle()
        }
    }

    /// Distributes 7, 3, 5 and 1 sixteenths of each error, scaled by `strength` sixteenths.
    private func diffuse(
        _ pixels: UnsafePointer<UInt32>, _ shown: UnsafePointer<UInt32>, _ count: Int,
        _ indices: UnsafeMutablePointer<UInt8>, _ search: NearestColour,
        _ colours: UnsafePointer<UInt32>
    ) {
        let (current, following) = (current + 1, following + 1)
        let transparent = search.palette.transparentIndex
        let strength = Levels(repeating: strength)
        let (white, half) = (Levels(repeating: 255), Levels(repeating: 8))
        let ahead = isBackwards ? -1 : 1
        var x = isBackwards ? count &- 1 : 0
        for _ in 0..<count {
            defer { x &+= ahead }
            guard pixels[x] != 0 else {
                indices[x] = transparent
                continue
            }
            let wanted = (Self.levels(pixels[x]) &+ ((current[x] &+ half) &>> 4))
                .clamped(lowerBound: .zero, upperBound: white)
            let index = search.index(
                of: unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: wanted), to: UInt32.self))
            let colour = colours[Int(index)]
            indices[x] = colour == shown[x] ? transparent : index
            let part = ((wanted &- Self.levels(colour)) &* strength) &>> 4
            current[x &+ ahead] &+= (part &<< 3) &- part
            following[x &- ahead] &+= (part &<< 1) &+ part
            following[x] &+= (part &<< 2) &+ part
            following[x &+ ahead] &+= part
        }
    }

    @inline(__always)
    private static func levels(_ pixel: UInt32) -> Levels {
        Levels(truncatingIfNeeded: unsafeBitCast(pixel, to: SIMD4<UInt8>.self))
    }
}
