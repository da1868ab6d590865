/// Random numbers that a seed determines, the same on every machine: the generator of Steele, Lea and
/// Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
///
/// Tests and benchmarks draw from it, so that what they find can be found again.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed.
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below a bound, which is at least 1.
    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Whether one of so many times.
    package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}
