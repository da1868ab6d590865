import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentWorker
import Foundation

@testable import thimble

/// A temporary folder.
struct ScratchFolder: ~Copyable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "peak-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// A command that allocates a known amount for a moment.
enum Allocation {
    static func command(mebibytes: Int, seconds: Double = 0.2, then more: String = "") -> [String] {
        let script = """
            import mmap, time
            held = mmap.mmap(-1, \(mebibytes) << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            for start in range(0, len(held), 4096): held[start] = 1
            time.sleep(\(seconds))
            \(more)
            """
        return ["/usr/bin/python3", "-c", script]
    }
}

extension Peer {
    init(_ name: String, _ command: [String], output: Output? = nil, workers: [String]? = nil) {
        self.init(
            name: name, summary: "", packages: nil, requirements: nil, version: ["true"],
            command: command, environment: nil, output: output, limitsItself: nil, workers: workers,
            planningCap: nil, refusalCode: nil)
    }
}

extension PeakBenchmark {
    /// A benchmark of one sample picture in a temporary folder.
    init(of picture: String, peers: [Peer], caps: [Int], in folder: URL) async throws {
        let sources = folder.appending(path: "sources", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.copyItem(
            at: package.appending(path: "Images/\(picture)"),
            to: sources.appending(path: picture))
        self.init(
            files: try await BenchmarkFile.all(in: sources) { path in
                .init(try Probe().attachment(AttachmentFile(path: path)))
            },
            folder: sources, peers: peers, caps: caps,
            hierarchy: try ControlGroupHierarchy.delegated(),
            store: try CellStore(folder: folder.appending(path: "cells")),
            scratch: folder.appending(path: "scratch"))
    }
}

/// A result with invented figures.
enum MadeUp {
    static func attempt(
        _ outcome: Attempt.Verdict, cap: Int?, mebibytes: Int = 8
    ) -> Attempt {
        Attempt(
            cap: cap, outcome: outcome, reason: nil,
            measurement: Measurement(
                ending: .exited(0), peakFootprint: .mebibytes(mebibytes), besidePeak: nil,
                maximumResident: .mebibytes(20), wall: 0.1, processor: 0.1, kills: 0,
                complaint: ""),
            picture: nil)
    }

    /// Two tools, two files: the first survives both, the second only one, at 24 MiB.
    static func result() async throws -> BenchmarkResult {
        let peers = [Peer("thimble", ["true"]), Peer("<other> & co", ["true"])]
        let cells = [
            Cell(
                file: "a.jpg", peer: "thimble", open: attempt(.survived, cap: nil),
                capped: [attempt(.survived, cap: 12)]),
            Cell(
                file: "a.jpg", peer: "<other> & co",
                open: attempt(.survived, cap: nil, mebibytes: 20),
                capped: [attempt(.killed, cap: 12), attempt(.survived, cap: 24)]),
            Cell(
                file: "b.png", peer: "thimble", open: attempt(.survived, cap: nil, mebibytes: 10),
                capped: [attempt(.reduced, cap: 12), attempt(.survived, cap: 24)],
                quality: Quality(psnr: 38, ssim: 0.97, ssimulacra2: 77.7, loss: 0.2)),
            Cell(
                file: "b.png", peer: "<other> & co", open: attempt(.failed, cap: nil),
                capped: [attempt(.failed, cap: 12), attempt(.failed, cap: 24)]),
        ]
        return BenchmarkResult(
            date: Date(timeIntervalSince1970: 1_700_000_000),
            machine: try await MachineFacts(
                peers: peers, values: Peer.Values(), hierarchy: nil),
            task: "test", caps: [12, 24], peers: peers,
            files: ["a.jpg", "b.png"].map { BenchmarkFile($0, bytes: ByteCount(0), nil) },
            cells: cells)
    }
}
