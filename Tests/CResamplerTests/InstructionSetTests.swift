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
        "NEON and plain code for ARM give the same bytes as this processor", .enabled(if: isLinux))
    func neon() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "digests").path
        let tests = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
        let resampler = tests.deletingLastPathComponent().appending(
            path: "Sources/C/codecs/CResampler"
        ).path
        let sources = [
            "boxes.c", "chroma.c", "kernels.c", "light.c", "neon.c", "resampler.c", "weights.c",
            "words.c",
        ]
        // GCC does not know the pragma against fused multiplications.
        let compiled = try Self.run(
            "/usr/bin/aarch64-linux-gnu-gcc",
            [
                "-O2", "-static", "-ffp-contract=off", "-I", "\(resampler)/include",
                tests.appending(path: "Support/ResamplerDigests/main.c").path, "-o", program,
            ] + sources.map { "\(resampler)/\($0)" })
        try #require(compiled.code == 0)
        let native = try Self.digests("best")
        for vectors in ["none", "neon"] {
            let emulated = try Self.run("/usr/bin/qemu-aarch64", [program, vectors])
            #expect(emulated.code == 0)
            #expect(emulated.lines == native, "\(vectors)")
        }
        #expect(try Self.run("/usr/bin/qemu-aarch64", [program, "sse2"]).code == 2)
    }

    private static var isLinux: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
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

    /// One line a case; none if the processor lacks the instructions.
    private static func digests(_ vectors: String) throws -> [String] {
        let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "resampler-digests").path
        let result = try run(program, [vectors])
        try #require(result.code == 0 || result.code == 2)
        return result.lines
    }

    private static func run(
        _ program: String, _ arguments: [String]
    ) throws -> (lines: [String], code: Int32) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return (lines, process.terminationStatus)
    }
}
