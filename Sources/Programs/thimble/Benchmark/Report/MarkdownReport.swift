internal import AttachmentContainer
internal import Foundation

/// Tables of a result in Markdown, aligned for plain-text reading.
struct MarkdownReport {
    private let result: BenchmarkResult

    init(_ result: BenchmarkResult) { self.result = result }

    /// Survived files per cap, the smallest cap per file, and quality if it was measured.
    var summary: String {
        ([
            "## Files survived, of \(result.files.count)", "", survivals, "",
            "A number after + counts files of which there was only a smaller picture.", "",
            "## Smallest hard cap survived (MiB)", "", smallestCaps, "",
            "`>`: not even at the largest cap. In brackets the cap from which there was a smaller "
                + "picture. `–`: it cannot do the file at all. `time`: not done in time.",
        ] + quality).joined(separator: "\n")
    }

    private var quality: [String] {
        guard result.cells.contains(where: { $0.quality?.ssimulacra2 != nil }) else { return [] }
        return [
            "", "## Quality (SSIMULACRA2)", "", scores, "",
            "Against the source decoded in full and reduced with a Lanczos kernel, at most 100. In "
                + "brackets the loss against that reference encoded alike.",
        ]
    }

    private var scores: String {
        eachFile { cell in
            guard let quality = cell.quality, let score = quality.ssimulacra2 else { return "" }
            return score.digits(1) + (quality.loss.map { " (\($0.digits(1)))" } ?? "")
        }
    }

    var full: String {
        let lines =
            [
                "# Peak memory", "",
                "\(result.date.day). Task: \(result.task). \(result.machine.text)", "",
                summary, "", "## Peak footprint without a cap (MiB)", "",
                "For what limits itself, at its planning cap.", "", peaks, "",
                "## Every figure", "",
                "Footprint and resident set in MiB, time in seconds, PSNR in dB. Figures are of "
                    + "the run without a cap, or else of the first that survived.",
            ] + result.files.flatMap { ["", "### \($0.name)", "", figures(of: $0)] }
        return lines.joined(separator: "\n") + "\n"
    }

    var survivals: String {
        table(
            ["cap"] + result.peers.map(\.name),
            result.caps.map { cap in
                ["\(cap) MiB"]
                    + result.peers.map { peer in
                        let smaller = result.smaller(peer.name, cap: cap)
                        return "\(result.survived(peer.name, cap: cap))"
                            + (smaller > 0 ? " +\(smaller)" : "")
                    }
            })
    }

    private var smallestCaps: String { eachFile(result.smallestCap(of:)) }

    private var peaks: String {
        eachFile { $0.representative?.measurement.peakFootprint.mebibytes ?? "–" }
    }

    private func eachFile(_ text: (Cell) -> String) -> String {
        table(
            ["file"] + result.peers.map(\.name),
            result.files.map { file in
                [file.name] + result.peers.map { result.cell(file.name, $0.name).map(text) ?? "" }
            })
    }

    private func figures(of file: BenchmarkFile) -> String {
        table(
            [
                "tool", "footprint", "resident", "wall", "CPU", "bytes", "PSNR", "SSIM",
                "SSIMULACRA2", "loss", "cap", "note",
            ],
            result.peers.compactMap { peer in
                result.cell(file.name, peer.name).map { row(of: $0) }
            })
    }

    private func row(of cell: Cell) -> [String] {
        let shown = cell.representative
        let measured = shown?.measurement
        var notes: [String] = []
        if let rung = shown?.picture?.rung { notes.append(rung) }
        if let beside = measured?.besidePeak, beside.bytes > 0 {
            notes.append("supervisor \(beside.mebibytes)")
        }
        if shown == nil {
            let reason = cell.open.reason.map { ": \($0.prefix(80))" } ?? ""
            notes.append(cell.open.outcome.rawValue + reason.replacing("|", with: "/"))
        }
        return [
            cell.peer, measured?.peakFootprint.mebibytes ?? "–",
            measured?.maximumResident.mebibytes ?? "–", measured?.wall.digits(2) ?? "–",
            measured?.processor.digits(2) ?? "–", shown?.picture.map { "\($0.bytes)" } ?? "–",
            cell.quality?.psnr.digits(1) ?? "", cell.quality?.ssim.digits(4) ?? "",
            cell.quality?.ssimulacra2?.digits(1) ?? "", cell.quality?.loss?.digits(1) ?? "",
            cell.smallestCap.map { "\($0)" } ?? "–", notes.joined(separator: ", "),
        ]
    }

    private func table(_ head: [String], _ rows: [[String]]) -> String {
        let widths = head.indices.map { column in
            ([head] + rows).map { $0[column].count }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) + "|" }.joined()
        return ([line(head), rule] + rows.map(line)).joined(separator: "\n")
    }
}

extension ByteCount {
    var mebibytes: String { mebibytes(digits: 1) }

    func mebibytes(digits: Int) -> String { (Double(bytes) / 1_048_576).digits(digits) }
}

extension Double {
    func digits(_ count: Int) -> String { fixed(count) }
}
