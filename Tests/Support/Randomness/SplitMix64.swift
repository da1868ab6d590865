/// Deterministic random numbers from a seed, the same on every machine.
///
/// Uses the generator of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators"
/// (2014). Tests and benchmarks use it for reproducible findings.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number below a bound of at least 1.
    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// True with a probability of 1 in `count`.
    package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}
