import Foundation

/// A program that prints a line for each case of a target in C: on this processor, and built for ARM.
package struct DigestProgram: Sendable {
    /// Lines of standard output, and the exit code.
    package struct Output: Sendable, Hashable {
        package let lines: [String]
        package let code: Int32
    }

    /// True on Linux, whose packages for tests have the compiler and the emulator.
    package static let hasEmulator: Bool = {
        #if os(Linux)
            true
        #else
            false
        #endif
    }()

    private let name: String
    private let main: String
    private let target: String

    /// - Parameters:
    ///   - name: The built program, which is beside the tests.
    ///   - main: The folder of its source in `Tests/Support`.
    ///   - target: The folder of the target in `Sources/C/codecs`.
    package init(_ name: String, main: String, of target: String) {
        (self.name, self.main, self.target) = (name, main, target)
    }

    /// Runs the program on this processor.
    package func run(_ arguments: String...) throws -> Output {
        let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name)
        return try Self.run(program.path, arguments)
    }

    /// Builds the program for ARM, and passes a function that runs it in the emulator.
    ///
    /// - Throws: `CocoaError` if the compiler fails.
    package func withEmulator(
        _ body: (_ run: (String...) throws -> Output) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: name).path
        let support = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
        let code = support.appending(path: "../../Sources/C/codecs/\(target)").standardized.path
        let sources = try FileManager.default.contentsOfDirectory(atPath: code)
            .filter { $0.hasSuffix(".c") }
        // GCC does not know the pragma against fused multiplications.
        let compiled = try Self.run(
            "/usr/bin/aarch64-linux-gnu-gcc",
            [
                "-O2", "-static", "-ffp-contract=off", "-I", "\(code)/include",
                support.appending(path: "\(main)/main.c").path, "-o", program,
            ] + sources.map { "\(code)/\($0)" } + ["-lm"])
        guard compiled.code == 0 else { throw CocoaError(.executableNotLoadable) }
        try body { try Self.run("/usr/bin/qemu-aarch64", [program] + $0) }
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> Output {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return Output(lines: lines, code: process.terminationStatus)
    }
}
