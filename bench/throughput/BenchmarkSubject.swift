import ArgumentParser
import BenchmarkMeasuring
import Foundation

/// The pictures and the program under test.
struct BenchmarkSubject: ParsableArguments {
    @Option(help: "Pictures in the corpus.")
    var count = 24

    @Option(
        help: "Folders of photographs for the corpus; used when it is first created.",
        completion: .directory)
    var photographs = ["Images"]

    @Option(help: "The thimble to measure; by default the one beside this program.")
    var thimble: String?

    /// Folder of the corpus and of temporary files.
    static let work = URL(fileURLWithPath: ".build/throughput", isDirectory: true)

    func validate() throws {
        guard 2...999 ~= count else { throw ValidationError("--count must be from 2 to 999.") }
    }

    func corpus() throws -> BenchmarkCorpus {
        try BenchmarkCorpus(
            count: count,
            photographs: photographs.map { URL(fileURLWithPath: $0, isDirectory: true) },
            cache: Self.work)
    }

    /// The named thimble, else the one beside this program.
    func program() throws -> URL {
        try ProductUnderTest.thimble(thimble)
    }

    func machine() throws -> Machine {
        try Machine(programs: [
            ChildProcess(program().path, "--version"), ChildProcess("vips", "--version"),
            ChildProcess("/bin/sh", "-c", "djpeg -version 2>&1 </dev/null"),
        ])
    }
}
