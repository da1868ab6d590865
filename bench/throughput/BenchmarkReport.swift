import BenchmarkMeasuring
import Foundation

/// The figures with their machine.
struct BenchmarkReport: Encodable {
    let measurements: Measurements
    let machine: Machine

    var markdown: String {
        let rows = measurements.rows.map {
            "| \($0.name) | \($0.processor.text(digits: 1)) | \($0.wall.text(digits: 1)) |"
        }
        let ratios = [
            measurements.processorRatio, measurements.wallRatio, measurements.floorRatio,
        ].map { "| \($0.name) | \($0.quotient.text(digits: 2)) |" }
        let lines =
            [
                "\(measurements.attachments) JPEGs of 3 to 12 megapixels to 1320 px; "
                    + "\(measurements.rounds) rounds: median (least to greatest).", "",
                "| | CPU, ms an attachment | wall, ms an attachment |", "|---|---|---|",
            ] + rows + ["", "| ratio, round by round | |", "|---|---|"] + ratios + [""]
            + measurements.rows.map { "- \($0.name): `\($0.command)`" } + ["", machine.text]
        return lines.joined(separator: "\n")
    }

    /// JSON with sorted keys.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
