import ArgumentParser
import Foundation

/// What is measured: the pictures and the program.
struct BenchmarkSubject: ParsableArguments {
    @Option(help: "Pictures in the corpus.")
    var count = 24

    @Option(
        help: "Folders of photographs that the corpus is cut from; used when it is first made.",
        completion: .directory)
    var photographs = ["Images"]

    @Option(help: "The thimble to measure. The default is the one beside this program.")
    var thimble: String?

    /// Where the corpus is kept, and what is written meanwhile.
    static let work = URL(fileURLWithPath: ".build/throughput", isDirectory: true)

    func validate() throws {
        guard 2...999 ~= count else { throw ValidationError("--count must be from 2 to 999.") }
    }

    /// Finds the pictures, or makes them.
    ///
    /// - Returns: The corpus.
    /// - Throws: `BenchmarkError` when the folders hold no photograph that can be used.
    func corpus() throws -> BenchmarkCorpus {
        try BenchmarkCorpus(
            count: count,
            photographs: photographs.map { URL(fileURLWithPath: $0, isDirectory: true) },
            cache: Self.work)
    }

    /// The thimble named, else the one that was built beside this program.
    ///
    /// - Returns: The program.
    /// - Throws: `ValidationError` when it is not there.
    func program() throws -> URL {
        let beside = Bundle.main.executableURL?.deletingLastPathComponent()
            .appendingPathComponent("thimble")
        guard let url = thimble.map({ URL(fileURLWithPath: $0) }) ?? beside,
            FileManager.default.isExecutableFile(atPath: url.path)
        else {
            throw ValidationError(
                "No thimble at \(thimble ?? beside?.path ?? "?"): "
                    + "build it with swift build -c release --product thimble, or name it with "
                    + "--thimble.")
        }
        return url
    }
}
