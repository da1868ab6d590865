import Foundation
import Testing

/// The decoded JSON report of `thimble batch`: a line per file, and a summary.
struct BatchOutput<File: Decodable, Summary: Decodable> {
    let files: [File]
    let summary: Summary

    private struct LastLine: Decodable { let summary: Summary }

    init(_ output: String) throws {
        let lines = output.split(separator: "\n").map { Data($0.utf8) }
        files = try lines.dropLast().map { try JSONDecoder().decode(File.self, from: $0) }
        summary = try JSONDecoder().decode(LastLine.self, from: try #require(lines.last)).summary
    }
}
