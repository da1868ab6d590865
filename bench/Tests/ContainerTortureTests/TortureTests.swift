import Foundation
import Testing

/// Real processes on real containers, for seconds, or for minutes with `THIMBLE_LONG_TESTS=1`.
@Suite("Torture", .serialized, .timeLimit(.minutes(15)))
struct TortureTests {
    private static let isLong =
        ProcessInfo.processInfo.environment["THIMBLE_LONG_TESTS"].map { $0 != "0" } ?? false

    @Test("Killed writers lose and tear nothing, and leave only files that are cleaned up")
    func kill() throws {
        let kills = Self.isLong ? 1000 : 30
        let output = try torture("kill", "--kills", "\(kills)")
        #expect(try count("SIGKILL", in: output) == kills)
        #expect(try count("publications that were done", in: output) > kills / 10)
        #expect(try count("notifications lost", in: output) == 0)
    }

    @Test("Eight writers, eight readers, a pruner and a verifier do not interfere")
    func crowd() throws {
        let seconds = Self.isLong ? "180" : "3"
        let output = try torture("crowd", "--seconds", seconds)
        #expect(try count("publications", in: output) > 0)
        #expect(try count("readings of a whole", in: output) > 0)
        #expect(try count("notifications evicted", in: output) > 0)
        #expect(try count("verifications", in: output) > 0)
        #expect(try count("torn", in: output) == 0)
    }

    @Test(
        "A full volume loses nothing and can be pruned",
        .enabled(if: canMount, "this process may not mount a volume"))
    func full() throws {
        let output = try torture("full")
        #expect(try count("of these, refused", in: output) > 0)
        #expect(try count("notifications lost", in: output) == 0)
    }

    @Test(
        "No run of 16 bytes of a sealed picture and no identifier is on a raw disk after kills",
        .enabled(if: canMountImage, "this process may not mount a disk image"))
    func raw() throws {
        let kills = Self.isLong ? 1000 : 12
        let images = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../Images").standardized.path
        let output = try torture(
            "raw", "--kills", "\(kills)", "--mebibytes", Self.isLong ? "64" : "24",
            "\(images)/still-life-ready.jpg", "\(images)/dunes-grey.jpg")
        #expect(try count("processes killed", in: output) == kills)
        #expect(try count("pictures sealed", in: output) > 0)
        #expect(try count("files left", in: output) == 0)
        #expect(try count("runs of 16 bytes", in: output) == 0)
        #expect(try count("identifiers", in: output) == 0)
        #expect(try count("control", in: output) > 0)
    }

    @Test("Listing, showing, verifying and pruning work with many notifications")
    func scale() throws {
        let count = Self.isLong ? 100_000 : 1000
        let output = try torture("scale", "--notifications", "\(count)")
        // Table header, rule, and a row per number of notifications.
        #expect(output.split(separator: "\n").count { $0.hasPrefix("|") } == 5)
    }

    /// True if this process may mount a volume, which is tried on a temporary folder.
    private static let canMount: Bool = {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch { return false }
        let mount = ["/bin/mount", "-t", "tmpfs", "-o", "size=4096", "tmpfs", folder.path]
        return succeeds(mount) && succeeds(["/bin/umount", folder.path])
    }()

    /// True if this process may mount a disk image, which needs a loop device.
    private static let canMountImage: Bool =
        canMount && FileManager.default.isExecutableFile(atPath: "/sbin/mkfs.ext4")
        && succeeds(["/sbin/losetup", "--find"])

    /// True if a command exits with 0.
    private static func succeeds(_ command: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Runs a campaign and expects that no check failed.
    private func torture(_ arguments: String...) throws -> String {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        // Next to the test runner.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "container-torture")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Neither output fills its pipe: a table, and at most twenty lines.
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        let errorText = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(String(decoding: errorText, as: UTF8.self))")
        return String(decoding: text, as: UTF8.self)
    }

    /// Sum of the figures in the rows that begin with a name.
    private func count(_ name: String, in output: String) throws -> Int {
        let rows = output.split(separator: "\n").filter { $0.hasPrefix("| \(name)") }
        try #require(!rows.isEmpty)
        return try rows.map { row in
            let cell = row.split(separator: "|").last.map(String.init) ?? ""
            let digits = cell.filter { $0 != "," && $0 != " " }
            return try #require(Int(digits))
        }.reduce(0, +)
    }
}
