import DigestPrograms
import Testing

@Suite("Processors of the scores", .timeLimit(.minutes(3)))
struct SimilarityProcessorTests {
    private static let program = DigestProgram(
        "similarity-digests", main: "SimilarityDigests", of: "CSimilarity")

    @Test("The best instructions of this processor and the baseline give the same bits")
    func baseline() throws {
        let lines = try Self.program.run("best").lines
        #expect(lines.count == 60)
        #expect(try Self.program.run("baseline").lines == lines)
    }

    @Test(
        "Code for ARM gives the same bits as this processor",
        .enabled(if: DigestProgram.hasEmulator))
    func arm() throws {
        let native = try Self.program.run("best")
        try Self.program.withEmulator { emulated in
            for vectors in ["best", "baseline"] {
                let output = try emulated(vectors)
                #expect(output.lines == native.lines, "\(vectors)")
            }
        }
    }
}
