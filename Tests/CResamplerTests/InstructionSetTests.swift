import DigestPrograms
import Foundation
import Testing

@Suite("Instruction sets of the resampler", .timeLimit(.minutes(3)))
struct InstructionSetTests {
    @Test("SSE2, AVX2 and plain code give the same bytes", .enabled(if: isX86))
    func x86() throws {
        let plain = try Self.digests("none")
        #expect(plain.count == 500)
        #expect(try Self.digests("sse2") == plain)
        #expect(try Self.digests("best") == plain)
        #expect(try Self.digests("neon").isEmpty)
        if Self.hasAVX2 { #expect(try Self.digests("avx2") == plain) }
    }

    @Test(
        "NEON and plain code for ARM give the same bytes as this processor",
        .enabled(if: DigestProgram.hasEmulator))
    func neon() throws {
        let native = try Self.digests("best")
        try Self.program.withEmulator { emulated in
            for vectors in ["none", "neon"] {
                let output = try emulated(vectors)
                #expect(output.code == 0)
                #expect(output.lines == native, "\(vectors)")
            }
            #expect(try emulated("sse2").code == 2)
        }
    }

    private static var isX86: Bool {
        #if arch(x86_64)
            true
        #else
            false
        #endif
    }

    private static var hasAVX2: Bool {
        let processor = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        return processor?.contains(" avx2 ") ?? false
    }

    private static let program = DigestProgram(
        "resampler-digests", main: "ResamplerDigests", of: "CResampler")

    /// One line a case; none if the processor lacks the instructions.
    private static func digests(_ vectors: String) throws -> [String] {
        let result = try program.run(vectors)
        try #require(result.code == 0 || result.code == 2)
        return result.lines
    }
}
