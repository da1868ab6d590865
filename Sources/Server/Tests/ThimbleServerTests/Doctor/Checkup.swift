import Foundation
import Testing

/// A finished run of `thimble-server doctor`, with a folder of its own.
struct Checkup {
    struct Check: Decodable {
        let part: String
        let status: String
        let found: String
        let remedy: String?
    }

    struct Report: Decodable {
        let status: String
        let checks: [Check]
    }

    let code: Int32
    let checks: [Check]
    let status: String

    /// The checks of a part.
    subscript(part: String) -> [Check] { checks.filter { $0.part == part } }

    /// True if a check of the part failed, and its remedy has the text.
    func fails(_ part: String, remedy text: String) -> Bool {
        self[part].contains { $0.status == "failed" && $0.remedy?.contains(text) == true }
    }

    /// True if a check of the part warns, and its remedy has the text.
    func warns(_ part: String, remedy text: String) -> Bool {
        self[part].contains { $0.status == "warning" && $0.remedy?.contains(text) == true }
    }

    /// True if the part was checked and is in order.
    func isOK(_ part: String) -> Bool {
        !self[part].isEmpty && self[part].allSatisfy { $0.status == "ok" }
    }
}

/// A folder with a place for a container and a store, for checks of one machine.
final class CheckupFolder {
    let url: URL
    /// Variables of the checks, besides the tests' own.
    var environment: [String: String]

    var container: URL { url.appending(path: "container") }
    var store: URL { url.appending(path: "store") }
    private var temporary: URL { url.appending(path: "temporary") }

    static func with<Value>(_ body: (CheckupFolder) throws -> Value) throws -> Value {
        let folder = try CheckupFolder()
        defer { try? FileManager.default.removeItem(at: folder.url) }
        return try body(folder)
    }

    private init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "thimble-doctor-\(UUID().uuidString)", directoryHint: .isDirectory)
        environment = [
            "TMPDIR": url.appending(path: "temporary").path, "HOME": url.path,
            "AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "",
        ]
        for folder in [url, url.appending(path: "temporary")] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
    }

    /// Writes a file with permissions; returns its path.
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let file = url.appending(path: name).path
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }

    /// Runs the checks on free ports; nothing may stay behind.
    func check(_ options: String..., program: URL? = nil) throws -> Checkup {
        let before = try names
        let run = try Program.run(
            [
                "doctor", "--json", "--container", container.path, "--port", "0",
                "--operations-port", "0",
            ] + options, environment: environment, program: program)
        #expect(try names == before, "the checks leave something behind")
        let report = try JSONDecoder().decode(Checkup.Report.self, from: Data(run.output.utf8))
        #expect(run.errors.isEmpty)
        let hasFailed = report.checks.contains { $0.status == "failed" }
        #expect((run.code != 0) == hasFailed)
        return Checkup(code: run.code, checks: report.checks, status: report.status)
    }

    /// Paths of everything in the folder.
    var names: Set<String> {
        get throws { Set(try FileManager.default.subpathsOfDirectory(atPath: url.path)) }
    }
}
