package import Foundation

/// A series with the machine that it was measured on, as it is kept in `bench/results`.
package struct FlatResult: Sendable, Codable {
    /// When it ended, in whole seconds.
    package let date: Date
    /// The machine.
    package let machine: MachineFacts
    /// The series.
    package let series: FlatSeries

    /// Puts a result together.
    ///
    /// - Parameters:
    ///   - series: The series.
    ///   - machine: The machine.
    ///   - date: When it ended. The default is now.
    package init(_ series: FlatSeries, machine: MachineFacts, date: Date = Date()) {
        self.series = series
        self.machine = machine
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }

    /// The result in words.
    package var summary: String {
        let last = series.windows.last
        return """
            \(series.attachments) attachments through \(series.workers == 1 ? "one worker" : "\(series.workers) workers"): between \
            attachments it held \(last?.least.mebibytes ?? "–") MiB at the end, and at most \
            \(series.growth.mebibytes(digits: 2)) MiB more than after the first \
            \(FlatRun.window). Peaks grew by \(series.peakGrowth.mebibytes(digits: 2)) MiB, to \
            \(last?.most.mebibytes ?? "–") MiB.
            """
    }

    /// The result as JSON, keys in order.
    ///
    /// - Returns: The text.
    /// - Throws: What the encoder throws.
    package func json() throws -> String { try JSONText.of(self) }

    /// Writes the result under its date, and words and charts as the latest.
    ///
    /// - Parameter folder: For example `bench/results/flat-memory`.
    /// - Returns: The files that were written.
    /// - Throws: ``BenchmarkError`` when one cannot be written.
    package func write(to folder: URL) throws(BenchmarkError) -> [URL] {
        let text = "# Flat memory\n\n\(date.day). \(summary)\n\n\(machine.text)\n"
        var files = [("latest.md", text)]
        for palette in Palette.all {
            files.append(("footprint-\(palette.name).svg", FlatChart(series, palette).svg))
        }
        return try ResultFolder(folder).write(files, and: self, on: date)
    }
}
