import Foundation
import Testing

/// The time of day of a process, which jumps while it runs (`Tests/Clock/fake_clock.c`).
struct FakeClock {
    private static let source = TestServer.package
        .appending(path: "Sources/Server/Tests/Clock/fake_clock.c").path
    private let folder: URL

    private var file: URL { folder.appending(path: "difference") }
    private var library: URL { folder.appending(path: "clock.so") }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "clock-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = ["cc", "-shared", "-fPIC", "-o", library.path, Self.source]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        try set(hours: 0)
    }

    var environment: [String: String] {
        ["LD_PRELOAD": library.path, "FAKE_CLOCK": file.path]
    }

    /// Sets the difference from the clock of the machine.
    func set(hours: Int) throws {
        try Data("\(hours * 3600)\n".utf8).write(to: file, options: .atomic)
    }

    func end() { try? FileManager.default.removeItem(at: folder) }
}
