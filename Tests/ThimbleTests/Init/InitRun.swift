import Foundation
import Testing

/// A run of `thimble init` for one tool, with its JSON report.
struct InitRun: Sendable, CustomTestStringConvertible {
    /// The value of `--for`.
    let tool: String
    /// The App Group, which all targets share.
    static let group = "group.org.example.daily"
    static let category = "photo"

    static let all = ["xcode", "xcodegen", "tuist", "expo"].map(InitRun.init)

    var testDescription: String { tool }

    var arguments: String {
        "--for \(tool) --bundle-id org.example.daily --category \(Self.category)"
            + (tool == "xcode" ? "" : " --package ../thimble")
    }

    /// The JSON report.
    struct Report: Decodable {
        struct File: Decodable {
            let path: String
            let bytes: Int
            let contents: String?
        }

        let files: [File]
        let check: String
        let steps: [String]
        let error, errorPath, reason, remedy: String?
    }

    /// Runs the command in a folder, with more arguments.
    func write(_ more: String = "", in folder: URL) throws -> (run: Command, report: Report) {
        let run = try Command.shell("thimble init \(arguments) --report json \(more)", in: folder)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        return (run, report)
    }

    /// Runs the body with a new empty folder, and removes it.
    static func inFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// All files and folders in a folder, with the contents of the files.
    static func tree(_ folder: URL) throws -> [String: Data?] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.reduce(into: [:]) { tree, path in
            let place = folder.appending(path: path)
            // Folders, and links that lead nowhere, have no contents.
            tree[path] = .some(try? Data(contentsOf: place))
        }
    }
}
