/// Converts the pixels of a frame to palette indices, row by row, with error diffusion.
///
/// Diffuses errors in alternating direction (Floyd and Steinberg, 1976). Unchanged pixels neither
/// receive nor pass on errors, so static areas do not flicker.
final class Ditherer {
    private let palette: Palette
    private let search: NearestColour
    private let strength: Int32
    // Errors for this row and the next in sixteenths, with one more pixel on either side.
    private var current: [SIMD4<Int32>]
    private var following: [SIMD4<Int32>]
    private var isBackwards = false

    /// Starts a frame; an exact palette disables diffusion.
    init(_ palette: Palette, width: Int, strength: Int) {
        self.palette = palette
        self.strength = palette.isExact ? 0 : Int32(strength)
        search = NearestColour(palette)
        current = Array(repeating: .zero, count: width + 2)
        following = current
    }

    /// Pixels of 0 stay unchanged, as do pixels whose new colour equals `shown`.
    func write(
        _ pixels: UnsafeBufferPointer<UInt32>, over shown: UnsafePointer<UInt32>,
        to indices: UnsafeMutableBufferPointer<UInt8>
    ) {
        palette.colours.withUnsafeBufferPointer { colours in
            if strength == 0 {
                for x in pixels.indices {
                    indices[x] = index(pixels[x], .zero, over: shown[x], colours).index
                }
                return
            }
            let count = pixels.count
            for step in 0..<count {
                let x = isBackwards ? count &- 1 &- step : step
                let difference = (current[x &+ 1] &+ 8) &>> 4
                let (index, left) = index(pixels[x], difference, over: shown[x], colours)
                indices[x] = index
                pass(left, from: x &+ 1)
            }
            swap(&current, &following)
            for x in following.indices { following[x] = .zero }
            isBackwards.toggle()
        }
    }

    /// Distributes 7, 3, 5 and 1 sixteenths of an error, scaled by `strength` sixteenths.
    @inline(__always)
    private func pass(_ left: SIMD4<Int32>, from x: Int) {
        guard left != .zero else { return }
        let part = (left &* strength) &>> 4
        let ahead = isBackwards ? -1 : 1
        current[x &+ ahead] &+= part &* 7
        following[x &- ahead] &+= part &* 3
        following[x] &+= part &* 5
        following[x &+ ahead] &+= part
    }

    @inline(__always)
    private func index(
        _ pixel: UInt32, _ difference: SIMD4<Int32>, over shown: UInt32,
        _ colours: UnsafeBufferPointer<UInt32>
    ) -> (index: UInt8, left: SIMD4<Int32>) {
        guard pixel != 0 else { return (palette.transparentIndex, .zero) }
        let wanted = (SIMD4(channelsOf: pixel) &+ difference)
            .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        let index = search.index(of: wanted)
        let colour = colours[index]
        let left = wanted &- SIMD4(channelsOf: colour)
        return (colour == shown ? palette.transparentIndex : UInt8(index), left)
    }
}
