import Randomness

/// Makes mutants, each of which its number and the seed determine.
struct Breeder: Sendable {
    /// What is mutated.
    let originals: [Original]
    private let families: [Original.Structure: [Original]]
    private let seed: UInt64

    /// A file that was harmed.
    struct Mutant: Sendable {
        let number: Int
        /// What was done to which file, for a person.
        let story: String
        let structure: Original.Structure
        let bytes: [UInt8]
    }

    /// Takes pictures, of which there is at least one.
    init(_ originals: [Original], seed: UInt64) {
        self.originals = originals
        self.seed = seed
        families = Dictionary(grouping: originals, by: \.structure)
    }

    /// Makes one.
    ///
    /// - Parameter number: Which.
    /// - Returns: The mutant.
    func mutant(_ number: Int) -> Mutant {
        var random = SplitMix64(seed: seed &* 0x1_0000_0000 &+ UInt64(number))
        // Formats have their turn, however many pictures there are of each.
        let structures = families.keys.sorted { $0.rawValue < $1.rawValue }
        let family = families[structures[number % structures.count]] ?? originals
        let original = family[random.below(family.count)]
        let other = family[random.below(family.count)]
        var harmed = original
        var story = [original.name]
        for _ in 0...random.below(4) {
            let mutation = Mutation.allCases[random.below(Mutation.allCases.count)]
            harmed = Original(
                name: original.name,
                bytes: mutation.applied(to: harmed, with: other, using: &random),
                structure: original.structure)
            story.append(mutation.rawValue)
        }
        var bytes = harmed.bytes
        // Without this every harm to a chunk would be found by its checksum, and nothing behind it.
        if original.structure == .png, !random.oneIn(4) {
            PNGChecksums.mend(&bytes)
            story.append("checksums mended")
        }
        return Mutant(
            number: number, story: story.joined(separator: ", "), structure: original.structure,
            bytes: bytes)
    }
}
