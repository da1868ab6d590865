/// Seeded noise from integer hashes only, which makes it reproducible.
enum Noise {
    /// Odd multipliers that spread columns, rows and seeds over 32 bits.
    private static let columns: UInt32 = 0x9E37_79B1
    private static let rows: UInt32 = 0x85EB_CA77
    private static let seeds: UInt32 = 0xC2B2_AE3D

    /// Four numbers from 1 up to 2: 23 mixed bits below the exponent of 1 (IEEE 754).
    ///
    /// The multipliers and shifts come from the finaliser of MurmurHash3 (Appleby, 2011).
    @inline(__always)
    private static func mixed(_ lattice: SIMD4<UInt32>, rounds: Int) -> SIMD4<Float> {
        var h = (lattice ^ (lattice &>> 16)) &* 0x85EB_CA6B
        if rounds > 1 { h = (h ^ (h &>> 13)) &* 0xC2B2_AE35 }
        return unsafeBitCast((h &>> 9) | 0x3F80_0000, to: SIMD4<Float>.self)
    }

    /// Four independent numbers from 0 up to 1 for a lattice cell.
    @inline(__always)
    static func random(_ x: Int, _ y: Int, seed: UInt32) -> SIMD4<Float> {
        let cell = UInt32(truncatingIfNeeded: x) &* columns ^ UInt32(truncatingIfNeeded: y) &* rows
        let lanes = SIMD4<UInt32>(0, 0x51ED_270B, 0xA3DA_4E16, 0xF5C7_7521)
        return mixed(lanes &+ (cell &+ seed &* seeds), rounds: 2) - 1
    }

    /// Smooth value noise from -1 to 1, with its slope.
    ///
    /// Interpolates with the quintic 6t⁵ - 15t⁴ + 10t³. Its first and second derivatives vanish at
    /// the lattice.
    @inline(__always)
    static func sloped(_ p: Plane, seed: UInt32) -> (value: Float, slope: Plane) {
        // Adding 1.5 times 2²³ rounds to an integer, which is then in the low bits.
        let shift: Float = 12_582_912
        let floor = p - 0.5 + shift
        let f = p - (floor - shift)
        let left = floor.x.bitPattern &* columns, right = left &+ columns
        let near = floor.y.bitPattern &* rows &+ seed &* seeds, far = near &+ rows
        let v = mixed(SIMD4(left ^ near, right ^ near, left ^ far, right ^ far), rounds: 1) * 2 - 3
        let u = f * f * f * (f * (f * 6 - 15) + 10)
        let du = 30 * f * f * (f * (f - 2) + 1)
        let (across, along, twist) = (v[1] - v[0], v[2] - v[0], v[0] - v[1] - v[2] + v[3])
        return (
            v[0] + across * u.x + along * u.y + twist * u.x * u.y,
            Plane(du.x * (across + twist * u.y), du.y * (along + twist * u.x))
        )
    }

    /// Fractal noise: octaves of halving size, each rotated against the one before.
    @inline(__always)
    static func fractal(_ p: Plane, octaves: Float, seed: UInt32, gain: Float = 0.5) -> Float {
        var (q, sum, weight, left) = (p, Float(0), Float(0.6), octaves)
        var octave = seed
        while left > 0 {
            sum += weight * min(left, 1) * sloped(q, seed: octave).value
            q = nextOctave(q)
            weight *= gain
            left -= 1
            octave &+= 1
        }
        return sum
    }

    /// Fractal noise with weak octaves on steep ground, which resembles erosion.
    @inline(__always)
    static func eroded(_ p: Plane, octaves: Float, seed: UInt32) -> Float {
        var (q, sum, weight, left) = (p, Float(0), Float(0.5), octaves)
        var (steepness, octave) = (Plane.zero, seed)
        while left > 0 {
            let noise = sloped(q, seed: octave)
            steepness += noise.slope * 0.55
            sum += weight * min(left, 1) * (1 - abs(noise.value)) / (1 + dot(steepness, steepness))
            q = nextOctave(q)
            weight *= 0.5
            left -= 1
            octave &+= 1
        }
        return sum
    }

    /// Doubles the frequency and rotates by the angle of the 3-4-5 triangle, which hides the
    /// lattice.
    @inline(__always)
    private static func nextOctave(_ p: Plane) -> Plane {
        Plane(1.6 * p.x - 1.2 * p.y, 1.2 * p.x + 1.6 * p.y) + 17.3
    }
}
