internal import Foundation

/// Folder of dated results, with table and charts of the latest.
struct ResultFolder: Sendable {
    private let folder: URL

    init(_ folder: URL) { self.folder = folder }

    /// Writes a dated result and replaces table and charts of the latest.
    func write(_ result: BenchmarkResult) throws(BenchmarkError) -> [URL] {
        var files = [("latest.md", MarkdownReport(result).full)]
        for palette in Palette.all {
            files.append(("survived-\(palette.name).svg", SurvivalChart(result, palette).svg))
            files.append(("footprint-\(palette.name).svg", FootprintChart(result, palette).svg))
        }
        return try write(files, and: result, on: result.date)
    }

    /// Writes texts, and a value as JSON named by its day.
    func write(
        _ files: [(name: String, text: String)], and value: some Encodable, on date: Date
    ) throws(BenchmarkError) -> [URL] {
        do {
            let json = (name: "\(date.day).json", text: try JSONText.of(value) + "\n")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return try (files + [json]).map { file in
                let url = folder.appending(path: file.name)
                try Data(file.text.utf8).write(to: url)
                return url
            }
        } catch {
            throw BenchmarkError("\(folder.path) cannot be written: \(error)")
        }
    }
}

/// JSON format of reports and results, with sorted keys.
enum JSONText {
    static func of(_ value: some Encodable) throws -> String {
        try encode(value, [.prettyPrinted])
    }

    /// Same, without line breaks.
    static func line(of value: some Encodable) throws -> String { try encode(value, []) }

    private static func encode(
        _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

extension Date {
    /// For example `2026-01-31`.
    var day: String { formatted(.iso8601.year().month().day()) }
}
