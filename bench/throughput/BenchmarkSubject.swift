import ArgumentParser
import BenchmarkMeasuring
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
        try ProductUnderTest.thimble(thimble)
    }

    /// The machine, and what runs on it.
    ///
    /// - Returns: Its facts, and the versions of the programs.
    /// - Throws: `BenchmarkError` when a program cannot be run.
    func machine() throws -> Machine {
        try Machine(programs: [
            ChildProcess(program().path, "--version"), ChildProcess("vips", "--version"),
            ChildProcess("/bin/sh", "-c", "djpeg -version 2>&1 </dev/null"),
        ])
    }
}
