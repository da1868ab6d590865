import ArgumentParser
import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import BenchmarkMeasuring
import Foundation
import OriginServer
import SampleCiphertexts

/// All schemes beside the clear, in interleaved rounds.
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare every scheme with the picture in the clear (default).")

    @Argument(help: "The folder of make_pictures.py.")
    var pictures: String

    @Option(help: "The number of rounds, after one that warms caches up.")
    var rounds = 11

    func run() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("private-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let origin = try Origin()
        var tables: [PrivateTable] = []
        for (file, cap) in [
            ("heic-12mp.heic", ByteCount.mebibytes(24)), ("jpeg-108mp.jpg", .mebibytes(12)),
        ] {
            let picture = URL(fileURLWithPath: pictures).appendingPathComponent(file)
            // A HEIC needs scratch files, without which no rendition is sealed here.
            tables.append(
                try table(
                    of: picture, cap: cap, isSealed: file.hasSuffix(".jpg"), at: origin, in: folder)
            )
        }
        let machine = try Machine(programs: [])
        let page =
            tables.map(\.text).joined(separator: "\n\n")
            + "\n\n\(machine.processor), \(machine.cores) cores."
        print(page)
        try ResultPage.write(page, under: "Private pictures", in: "private.md")
        let faults = tables.flatMap(\.faults)
        for fault in faults { print(fault) }
        if !faults.isEmpty { throw ExitCode.failure }
    }

    private func table(
        of picture: URL, cap: ByteCount, isSealed: Bool, at origin: Origin, in folder: URL
    ) throws -> PrivateTable {
        let schemes: [SampleCiphertext.Scheme?] = [nil, .counter, .chained, .galois]
        let sealed = isSealed ? schemes.prefix(2).map { ($0, true) } : []
        let cases = try (schemes.map { ($0, false) } + sealed).map { scheme, isSealed in
            try PrivateCase(
                scheme, isSealed: isSealed, of: picture, at: origin, cap: cap, in: folder)
        }
        let hardCap = try HardCap(MemoryCap(cap), by: .cgroup)
        // The origin and its files are warm after the first delivery, which does not count.
        try cases[0].measure(prefix: [], isCapped: nil, in: folder)
        for _ in 0..<rounds {
            for each in cases {
                try each.measure(prefix: [], isCapped: false, in: folder)
                guard let group = try hardCap.makeGroup() else {
                    throw BenchmarkError("no control group")
                }
                defer { group.remove() }
                try each.measure(prefix: group.launchPrefix, isCapped: true, in: folder)
                guard group.counters.kills == 0 else {
                    throw BenchmarkError("\(each.name): killed under \(cap)")
                }
            }
        }
        return PrivateTable(
            picture: picture, cap: cap, mechanism: hardCap.mechanism.rawValue, rounds: rounds,
            cases: cases)
    }
}
