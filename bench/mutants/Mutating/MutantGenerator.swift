import AttachmentModel
import Randomness

/// Generates mutants.
///
/// Each is determined by its number and the seed.
struct MutantGenerator: Sendable {
    let originals: [Original]
    /// The selections of presets, of which each mutant has one.
    let presets: [PresetSelection]
    private let families: [Original.Structure: [Original]]
    private let seed: UInt64

    /// A damaged file.
    struct Mutant: Sendable {
        let number: Int
        /// Description of the mutation.
        let story: String
        let structure: Original.Structure
        let bytes: [UInt8]
        let presets: PresetSelection
    }

    /// Requires at least one picture and one selection.
    init(_ originals: [Original], presets: [PresetSelection], seed: UInt64) {
        self.originals = originals
        self.presets = presets
        self.seed = seed
        families = Dictionary(grouping: originals, by: \.structure)
    }

    func mutant(_ number: Int) -> Mutant {
        var random = SplitMix64(seed: seed &* 0x1_0000_0000 &+ UInt64(number))
        // Formats take turns, regardless of the number of pictures of each.
        let structures = families.keys.sorted { $0.rawValue < $1.rawValue }
        let family = families[structures[number % structures.count]] ?? originals
        let original = family[random.below(family.count)]
        let other = family[random.below(family.count)]
        var damaged = original
        var story = [original.name]
        for _ in 0...random.below(4) {
            let mutation = Mutation.allCases[random.below(Mutation.allCases.count)]
            damaged = Original(
                name: original.name,
                bytes: mutation.applied(to: damaged, with: other, using: &random),
                structure: original.structure)
            story.append(mutation.rawValue)
        }
        var bytes = damaged.bytes
        // Otherwise checksums would reject every change to a chunk before its content is parsed.
        if original.structure == .png, !random.oneIn(4) {
            PNGChecksums.correct(&bytes)
            story.append("checksums corrected")
        }
        // Drawn last, so that a mutant has the same bytes with any selections.
        let selection = presets[random.below(presets.count)]
        if presets.count > 1 { story.append("presets \(selection)") }
        return Mutant(
            number: number, story: story.joined(separator: ", "), structure: original.structure,
            bytes: bytes, presets: selection)
    }
}
