import Foundation

/// A page of results in `bench/results`.
package enum ResultPage {
    /// Writes a Markdown page with a title and the command line that made it.
    package static func write(_ text: String, under title: String, in name: String) throws {
        let folder = URL(fileURLWithPath: "bench/results", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).lastPathComponent
        let command = [".build/release/\(program)"] + CommandLine.arguments.dropFirst()
        let page = "# \(title)\n\nMade by `\(command.joined(separator: " "))`.\n\n\(text)\n"
        try Data(page.utf8).write(to: folder.appendingPathComponent(name))
    }
}
