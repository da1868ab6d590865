import AttachmentContainer
import BenchmarkMeasuring
import Foundation

/// The measurements of one picture.
struct PrivateTable {
    /// Issue 41: at most 1.15 of the CPU of the same picture in the clear.
    private static let mostProcessor = 1.15

    let picture: URL
    let cap: ByteCount
    let mechanism: String
    let rounds: Int
    /// The picture in the clear first.
    let cases: [PrivateCase]

    private struct Row {
        let name: String
        let rung: String
        let peak: Spread
        let growth: Spread
        let processor: Spread
        /// Of the clear, round by round.
        let ratio: Spread
        let seconds: Spread
        let cappedSeconds: Spread
    }

    private var rows: [Row] {
        cases.map { each in
            let all = each.capped + each.free
            return Row(
                name: each.name, rung: all.first?.result.rung ?? "",
                peak: Spread(all.map { Double($0.result.peak) / 1e6 }),
                growth: Spread(all.map { Double($0.result.peak - $0.result.baseline) / 1e6 }),
                processor: Spread(each.free.map(\.processor)),
                ratio: Spread(zip(each.free, cases[0].free).map { $0.processor / $1.processor }),
                seconds: Spread(each.free.map(\.result.seconds)),
                cappedSeconds: Spread(each.capped.map(\.result.seconds)))
        }
    }

    var text: String {
        let attributes = try? FileManager.default.attributesOfItem(atPath: picture.path)
        let length = ByteCount((attributes?[.size] as? NSNumber)?.intValue ?? 0)
        let head = """
            ## `\(picture.lastPathComponent)`, \(length), cap of \(cap)

            \(rounds) rounds, each of every row: median (least to greatest). Time is from the notification to the \
            answer; *in the group* under a hard limit of \(cap) (\(mechanism)), which includes the page cache.

            | | rung | peak, MB | above the idle process, MB | CPU, s | of the clear, round by round | time, s | in the group, s |
            |---|---|---|---|---|---|---|---|
            """
        let lines = rows.map { row in
            "| \(row.name) | \(row.rung) | \(row.peak.text(digits: 1)) | "
                + "\(row.growth.text(digits: 1)) | \(row.processor.text(digits: 3)) | "
                + "\(row.ratio.text(digits: 2)) | \(row.seconds.text(digits: 2)) | "
                + "\(row.cappedSeconds.text(digits: 2)) |"
        }
        return ([head] + lines).joined(separator: "\n")
    }

    /// Figures over their bounds.
    var faults: [String] {
        rows.flatMap { row in
            let name = "\(picture.lastPathComponent), \(row.name)"
            return [
                row.ratio.median > Self.mostProcessor
                    ? "\(name): \(row.ratio.median) of the CPU in the clear" : nil,
                row.peak.greatest * 1e6 >= Double(cap.bytes)
                    ? "\(name): a peak of \(row.peak.greatest) MB under \(cap)" : nil,
            ].compactMap(\.self)
        }
    }
}
