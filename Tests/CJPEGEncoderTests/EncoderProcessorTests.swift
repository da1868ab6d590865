import DigestPrograms
import Testing

@Suite("Processors of the encoder of JPEG", .timeLimit(.minutes(3)))
struct EncoderProcessorTests {
    private static let program = DigestProgram(
        "jpeg-encoder-digests", main: "JPEGEncoderDigests", of: "CJPEGEncoder")

    @Test("The best instructions of this processor and plain code give the same bytes")
    func plain() throws {
        let lines = try Self.program.run("best").lines
        #expect(lines.count == 300)
        #expect(try Self.program.run("plain").lines == lines)
    }

    @Test(
        "Code for ARM gives the same bytes as this processor",
        .enabled(if: DigestProgram.hasEmulator))
    func arm() throws {
        let native = try Self.program.run("best")
        try Self.program.withEmulator { emulated in
            let output = try emulated("best")
            #expect(output.lines == native.lines)
        }
    }
}
