import ArgumentParser
import Foundation

/// Which mutants there are.
struct MutantOptions: ParsableArguments {
    @Argument(help: "Folders of small pictures.", transform: URL.init(fileURLWithPath:))
    var folders: [URL]

    @Option(help: "Tells these mutants from those of another seed.")
    var seed: UInt64 = 1

    @Option(help: "The longest picture that is mutated, in bytes; what is longer takes longer.")
    var longest = 16_000

    /// What makes them.
    ///
    /// - Returns: A breeder.
    /// - Throws: What stands in the way of reading the pictures.
    func breeder() throws -> Breeder {
        let originals = try Original.all(in: folders, longest: longest)
        guard !originals.isEmpty else {
            throw ValidationError("there are no pictures of at most \(longest) bytes")
        }
        return Breeder(originals, seed: seed)
    }
}
