import Foundation
import Testing

@Suite("Quantiser on other processors", .timeLimit(.minutes(3)), .enabled(if: isLinux))
struct ProcessorTests {
    @Test("Code for ARM chooses the same colours and indices as this processor")
    func arm() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "digest").path
        let tests = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
        let quantiser = tests.deletingLastPathComponent()
            .appending(path: "Sources/C/codecs/CQuantiser").path
        let sources = ["histogram.c", "quantiser.c", "search.c", "splitting.c"]
        // GCC does not know the pragma against fused multiplications.
        let compiled = try Self.run(
            "/usr/bin/aarch64-linux-gnu-gcc",
            [
                "-O2", "-static", "-ffp-contract=off", "-I", "\(quantiser)/include",
                tests.appending(path: "Support/QuantiserDigest/main.c").path, "-o", program,
            ] + sources.map { "\(quantiser)/\($0)" })
        try #require(compiled.code == 0)
        let native = URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "quantiser-digest").path
        let lines = try Self.run(native, []).lines
        #expect(lines.count == 24)
        let emulated = try Self.run("/usr/bin/qemu-aarch64", [program])
        #expect(emulated.code == 0)
        #expect(emulated.lines == lines)
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

private let isLinux: Bool = {
    #if os(Linux)
        true
    #else
        false
    #endif
}()
