internal import AttachmentContainer
internal import Foundation

/// Limits that later benchmarks must keep, stored in `bench/thresholds`.
struct Thresholds: Sendable, Hashable, Codable {
    /// Minimum number of files that the first peer survives, by cap in MiB.
    var survivedAtLeast: [String: Int]
    /// Maximum peak footprint of the first peer in MiB, by file.
    var peakAtMost: [String: Double]

    /// Tolerance for a measured peak.
    ///
    /// Runs of the same program differ by less than a tenth (`bench/results/peak-memory`).
    private static let headroom = 1.15

    init(contentsOf file: URL) throws(BenchmarkError) {
        do {
            self = try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: file))
        } catch {
            throw BenchmarkError("\(file.path) is not a thresholds file: \(error)")
        }
    }

    /// The thresholds that the result just keeps.
    init(keptBy result: BenchmarkResult) {
        let name = result.peers.first?.name ?? ""
        survivedAtLeast = Dictionary(
            uniqueKeysWithValues: result.caps.map { ("\($0)", result.survived(name, cap: $0)) })
        peakAtMost = [:]
        for cell in result.cells where cell.peer == name {
            guard let peak = cell.representative?.measurement.peakFootprint else { continue }
            let mebibytes = Double(peak.bytes) / 1_048_576 * Self.headroom
            peakAtMost[cell.file] = (mebibytes * 10).rounded(.up) / 10
        }
    }

    func crossed(by result: BenchmarkResult) -> [String] {
        let name = result.peers.first?.name ?? ""
        var lines: [String] = []
        // With only some of the files, the number survived cannot be checked.
        let isWhole = Set(result.files.map(\.name)).isSuperset(of: peakAtMost.keys)
        for cap in isWhole ? result.caps : [] {
            guard let least = survivedAtLeast["\(cap)"] else { continue }
            let found = result.survived(name, cap: cap)
            if found < least {
                lines.append(
                    "survived at \(cap) MiB: \(found) files, \(least - found) fewer than \(least)")
            }
        }
        for file in result.files.map(\.name) {
            guard let most = peakAtMost[file], let cell = result.cell(file, name) else { continue }
            guard let peak = cell.representative?.measurement.peakFootprint else {
                lines.append("\(file): \(cell.open.outcome.rawValue), no peak to compare")
                continue
            }
            let found = Double(peak.bytes) / 1_048_576
            if found > most {
                lines.append(
                    "\(file): peak \(found.digits(1)) MiB, \((found - most).digits(1)) over "
                        + "\(most.digits(1))")
            }
        }
        return lines
    }

    func write(to file: URL) throws(BenchmarkError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try (encoder.encode(self) + Data("\n".utf8)).write(to: file)
        } catch {
            throw BenchmarkError(
                "\(file.path) cannot be written: \(error.systemReason)")
        }
    }
}
