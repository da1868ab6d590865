import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
import WorkerProtocol

/// The result of a run, as text or JSON.
struct MutantReport: Encodable {
    let seed: UInt64
    let originals: Int
    let mutants: Int
    let cap: ByteCount
    let enforcement: Enforcement.Mechanism?
    let sandbox: SandboxReport?
    /// Counts by file structure and outcome.
    let outcomes: [String: [String: Int]]
    /// Number of files of all renditions.
    let renditions: Int
    let stoppedAtCap: Int
    let highestPeak: ByteCount
    let slowestSeconds: Double
    let slowestMutant: Int
    let seconds: Double
    let findings: [Finding]
    /// Faults of the container.
    let harm: [String]

    init(
        _ tally: Tally, seed: UInt64, originals: Int, cap: MemoryCap, harmed: [String],
        elapsed: Duration
    ) {
        self.seed = seed
        self.originals = originals
        self.cap = cap.footprint
        outcomes = Dictionary(
            uniqueKeysWithValues: tally.outcomes.map { ($0.key.rawValue, $0.value) })
        mutants = outcomes.values.flatMap(\.values).reduce(0, +)
        renditions = tally.renditions
        enforcement = tally.enforcement
        sandbox = tally.sandbox
        stoppedAtCap = tally.stoppedAtCap
        highestPeak = tally.highestPeak
        (slowestSeconds, slowestMutant) = tally.slowest
        seconds = elapsed / .seconds(1)
        findings = tally.findings.sorted { $0.number < $1.number }
        harm = harmed
    }

    /// True if all mutants ended as a rendition or a typed error, and the container is intact.
    var isClean: Bool { findings.isEmpty && harm.isEmpty && mutants > 0 }

    /// Writes mutants to files.
    func keep(_ numbers: [Int], in folder: URL, _ generator: MutantGenerator) throws {
        guard !numbers.isEmpty else { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for number in numbers {
            let mutant = generator.mutant(number)
            let name = "\(seed)-\(number).\(mutant.structure.rawValue)"
            try Data(mutant.bytes).write(to: folder.appending(path: name))
        }
    }

    /// Prints the report as table rows.
    func printText() {
        let kinds = Set(outcomes.values.flatMap(\.keys)).sorted()
        print("| structure | " + kinds.joined(separator: " | ") + " |")
        print("|---|" + kinds.map { _ in "---:|" }.joined())
        for (structure, counts) in outcomes.sorted(by: { $0.key < $1.key }) {
            let cells = kinds.map { "\(counts[$0] ?? 0)" }
            print("| \(structure) | " + cells.joined(separator: " | ") + " |")
        }
        print(
            """

            \(mutants) mutants of \(originals) pictures in \(Int(seconds)) s, seed \(seed); \
            \(renditions) renditions
            sandbox: \(sandbox.map { "\($0)" } ?? "none")
            highest peak \(highestPeak) of the cap of \(cap) \
            (\(enforcement?.rawValue ?? "no enforcement")), \(stoppedAtCap) rungs stopped at it
            slowest: mutant \(slowestMutant), \((slowestSeconds * 1000).rounded() / 1000) s
            findings: \(findings.count), container faults: \(harm.count)
            """)
        for finding in findings {
            print("mutant \(finding.number) (\(finding.story)): \(finding.fault)")
        }
        for line in harm { print("container: \(line)") }
    }

    func printJSON() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(self), as: UTF8.self))
    }
}
