import BenchmarkMeasuring
import Foundation

/// The figures with their machine.
struct AnimationReport {
    let rows: [AnimationTournament.Row]
    /// `thimble` first.
    let contenders: [AnimationContender]
    /// Number of measured rounds.
    let rounds: Int
    let machine: Machine

    var markdown: String {
        let lines =
            [
                "\(rows.count) animations, in general at half of their width; \(rounds) rounds: median (least "
                    + "to greatest). Contenders take turns at each file. A ratio below 1 is less "
                    + "for thimble.", "",
                "| animation | frames | CPU, ms | of it in the kernel | wall, ms | GIF, bytes |",
                "|---|---|---|---|---|---|",
            ] + rows.map(figures) + [""] + contenders.dropFirst().indices.flatMap(section)
            + contenders.map { "- \($0.name): `\($0.explanation)`" } + ["", machine.text]
        return lines.joined(separator: "\n")
    }

    private func figures(of row: AnimationTournament.Row) -> String {
        let file = row.picture
        return "| `\(file.name)`, \(file.width) to \(file.targetWidth) px "
            + "| \(file.frames) | \(row.processor.text(digits: 0)) "
            + "| \(row.kernel.text(digits: 2)) | \(row.wall.text(digits: 0)) | \(row.bytes) |"
    }

    /// Table of one other contender.
    private func section(_ number: Int) -> [String] {
        let compared = rows.compactMap { row in
            row.comparisons[number - 1].map { (row.picture, $0) }
        }
        guard !compared.isEmpty else { return [] }
        let lines = compared.map { picture, comparison in
            "| `\(picture.name)` | \(comparison.processor.text(digits: 2)) "
                + "| \(comparison.wall.text(digits: 2)) | \(text(comparison.size)) |"
        }
        let comparisons = compared.map { $0.1 }
        let mean =
            "| geometric mean | \(text(Self.mean(comparisons.map(\.processor.median)))) "
            + "| \(text(Self.mean(comparisons.map(\.wall.median)))) "
            + "| \(text(Self.mean(comparisons.map(\.size)))) |"
        return [
            "## thimble / \(contenders[number].name)", "", "| animation | CPU | wall | bytes |",
            "|---|---|---|---|",
        ] + lines + [mean, ""]
    }

    private static func mean(_ ratios: [Double]) -> Double {
        exp(ratios.map { log($0) }.reduce(0, +) / Double(ratios.count))
    }

    private func text(_ ratio: Double) -> String { String(format: "%.2f", ratio) }
}
