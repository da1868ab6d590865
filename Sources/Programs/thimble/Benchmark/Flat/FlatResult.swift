internal import Foundation

/// A series and its machine, as stored in `bench/results`.
struct FlatResult: Sendable, Codable {
    /// End of the measurement, in whole seconds.
    let date: Date
    let machine: MachineFacts
    let series: FlatSeries

    init(_ series: FlatSeries, machine: MachineFacts, date: Date = Date()) {
        self.series = series
        self.machine = machine
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }

    var summary: String {
        let last = series.windows.last
        return """
            \(series.attachments) attachments through \(series.workers == 1 ? "one worker" : "\(series.workers) workers"): between \
            attachments it held \(last?.least.mebibytes ?? "–") MiB at the end, and at most \
            \(series.growth.mebibytes(digits: 2)) MiB more than after the first \
            \(FlatRun.window). Peaks grew by \(series.peakGrowth.mebibytes(digits: 2)) MiB, to \
            \(last?.most.mebibytes ?? "–") MiB.
            """
    }

    /// Writes a dated result and replaces summary and charts of the latest.
    func write(to folder: URL) throws(BenchmarkError) -> [URL] {
        let text = "# Flat memory\n\n\(date.day). \(summary)\n\n\(machine.text)\n"
        var files = [("latest.md", text)]
        for palette in Palette.all {
            files.append(("footprint-\(palette.name).svg", FlatChart(series, palette).svg))
        }
        return try ResultFolder(folder).write(files, and: self, on: date)
    }
}
