package import Foundation

/// Where dated results are kept, with the table and the charts of the latest.
package struct ResultFolder: Sendable {
    private let folder: URL

    /// Names the folder.
    ///
    /// - Parameter folder: For example `bench/results/peak-memory`.
    package init(_ folder: URL) { self.folder = folder }

    /// Writes a result under its date, and table and charts as the latest.
    ///
    /// - Parameter result: The result.
    /// - Returns: The files that were written.
    /// - Throws: ``BenchmarkError`` when one cannot be written.
    package func write(_ result: BenchmarkResult) throws(BenchmarkError) -> [URL] {
        let day = result.date.formatted(.iso8601.year().month().day())
        var files: [(name: String, text: String)] = [
            ("latest.md", MarkdownReport(result).full)
        ]
        for palette in Palette.all {
            files.append(("survived-\(palette.name).svg", SurvivalChart(result, palette).svg))
            files.append(("footprint-\(palette.name).svg", FootprintChart(result, palette).svg))
        }
        do {
            files.append(("\(day).json", try result.json() + "\n"))
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return try files.map { file in
                let url = folder.appending(path: file.name)
                try Data(file.text.utf8).write(to: url)
                return url
            }
        } catch {
            throw BenchmarkError("\(folder.path) cannot be written: \(error)")
        }
    }
}
