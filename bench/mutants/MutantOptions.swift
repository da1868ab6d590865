import ArgumentParser
import AttachmentModel
import BenchmarkMeasuring
import Foundation

/// Options that determine the mutants.
struct MutantOptions: ParsableArguments {
    @Argument(help: "Folders of small pictures.", transform: URL.init(fileURLWithPath:))
    var folders: [URL]

    @Option(help: "The seed of the mutants.")
    var seed: UInt64 = 1

    @Option(help: "Maximum size of a mutated picture, in bytes. Larger ones take longer.")
    var longest = 16_000

    @Option(
        help: ArgumentHelp(
            "Presets of the renditions, separated by commas; the seed draws one selection for each "
                + "mutant.",
            valueName: "names"))
    var preset: [PresetNames] = [PresetNames(selection: .content)]

    func generator() throws -> MutantGenerator {
        let originals = try Original.all(in: folders, longest: longest)
        guard !originals.isEmpty else {
            throw ValidationError("there are no pictures of at most \(longest) bytes")
        }
        return MutantGenerator(originals, presets: preset.map(\.selection), seed: seed)
    }
}
