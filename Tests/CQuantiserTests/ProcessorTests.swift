import DigestPrograms
import Testing

@Suite(
    "Quantiser on other processors", .timeLimit(.minutes(3)),
    .enabled(if: DigestProgram.hasEmulator))
struct ProcessorTests {
    @Test("Code for ARM chooses the same colours and indices as this processor")
    func arm() throws {
        let program = DigestProgram(
            "quantiser-digest", main: "QuantiserDigest", of: "CQuantiser")
        let lines = try program.run().lines
        #expect(lines.count == 24)
        try program.withEmulator { emulated in
            let output = try emulated()
            #expect(output.code == 0)
            #expect(output.lines == lines)
        }
    }
}
