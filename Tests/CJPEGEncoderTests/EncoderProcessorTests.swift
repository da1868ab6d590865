import Foundation
import Testing

@Suite("Processors of the encoder of JPEG", .timeLimit(.minutes(3)))
struct EncoderProcessorTests {
    @Test("Code for ARM gives the same bytes as this processor", .enabled(if: hasEmulator))
    func arm() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "digests").path
        let tests = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
        let encoder = tests.deletingLastPathComponent()
            .appending(path: "Sources/C/codecs/CJPEGEncoder").path
        let sources = try FileManager.default.contentsOfDirectory(atPath: encoder)
            .filter { $0.hasSuffix(".c") }
        // GCC does not know the pragma against fused multiplications.
        let compiled = try Self.run(
            Self.compiler,
            [
                "-O2", "-static", "-ffp-contract=off", "-I", "\(encoder)/include",
                tests.appending(path: "Support/JPEGEncoderDigests/main.c").path, "-o", program,
            ] + sources.map { "\(encoder)/\($0)" })
        try #require(compiled.code == 0)
        let native = try Self.run(Self.digests, ["best"])
        #expect(native.lines.count == 300)
        #expect(try Self.run(Self.emulator, [program, "best"]).lines == native.lines)
        #expect(try Self.run(Self.digests, ["plain"]).lines == native.lines)
    }

    private static let compiler = "/usr/bin/aarch64-linux-gnu-gcc"
    private static let emulator = "/usr/bin/qemu-aarch64"

    private static var hasEmulator: Bool {
        [compiler, emulator].allSatisfy(FileManager.default.isExecutableFile)
    }

    private static var digests: String {
        URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "jpeg-encoder-digests").path
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
