import ArgumentParser
import AttachmentModel
import AttachmentWorker
import Foundation

/// `thimble bench`: compares peak memory with other tools under the same hard caps.
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Compare peak memory with other tools under the same hard caps.",
        discussion: """
            Every tool processes every file of the folder: once without a cap, which measures \
            footprint, resident set, time, bytes and quality, then under hard caps from the \
            smallest up, until the tool survives. To survive is to exit normally with a complete \
            picture of the requested size. The tools are described in peers/peers.json of the folder \
            --bench; what is not installed is named, with the commands to install it.

            Measurements are kept in ~/.cache/thimble/bench, and in a checkout of Thimble in \
            .build/bench. A run that was interrupted, or that has more files or tools than the \
            last, measures only what is new; --fresh measures all again. A rebuilt \
            program is measured again.

            EXAMPLES
              thimble bench Photos --caps 12,24 --compare none
              thimble bench Photos --caps 12,24
              thimble bench Photos --compare vipsthumbnail,Pillow --filter heic
              thimble bench Photos --compare none --check bench/thresholds/peak-memory.json
              thimble bench --from Results/2026-11-24.json --report html --report-file bench.html
              thimble bench Photos --others-from Results/2026-11-24.json --output Results

            EXIT CODES
              0    all measured; with --check: no threshold crossed
              1    with --check: a threshold was crossed; or the benchmark cannot be run
              130  interrupted
            """)

    @Argument(help: "The folder of files.", completion: .directory)
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "Report an earlier result instead of measuring.",
            discussion: "A dated JSON file of --output, in place of a folder.", valueName: "file"),
        completion: .file())
    var from: String?

    @Option(help: "Hard caps to try, in MiB.")
    var caps = CapList([12, 16, 24, 32, 50])

    @Option(help: "Tools to compare with, separated by commas; all, or none.")
    var compare = "all"

    @Option(
        help: ArgumentHelp(
            "Take the figures of other tools from an earlier result instead of measuring.",
            discussion:
                "A dated JSON file of --output, of the same machine, files and caps. Only the first "
                + "tool of the list is measured.",
            valueName: "file"),
        completion: .file())
    var othersFrom: String?

    @Option(help: "Only files whose name contains this.")
    var filter = ""

    @Option(help: "Time limit for one run, in seconds.")
    var timeLimit = 60

    @Option(
        help: ArgumentHelp(
            "The folder with peers/ and fidelity/.",
            discussion: "In a checkout its own by default, else that of the installation.",
            valueName: "folder"),
        completion: .directory)
    var bench: String?

    @Option(help: "Write dated results, table and charts to this folder.", completion: .directory)
    var output: String?

    @Option(help: "Exit with code 1 if a threshold of this file is crossed.", completion: .file())
    var check: String?

    @Option(help: "Set the thresholds of this file to the measured values.", completion: .file())
    var setThresholds: String?

    @Flag(help: "Measure everything again.")
    var fresh = false

    @Option(
        help: ArgumentHelp(
            "Report: text, json, or html for a page with the charts.", valueName: "format"))
    var report = PageReportFormat.text

    @OptionGroup var page: PageReportFile

    func validate() throws {
        guard 1...3600 ~= timeLimit else {
            throw ValidationError("--time-limit must be from 1 to 3600.")
        }
        _ = try page.file(for: report)
        guard (folder == nil) != (from == nil) else {
            throw ValidationError("Name either a folder or a result with --from.")
        }
    }

    func run() async throws {
        let thresholds = try check.map { file in
            try orExit { () throws(BenchmarkError) in
                try Thresholds(contentsOf: URL(fileURLWithPath: file))
            }
        }
        let result: BenchmarkResult
        do {
            if let from {
                result = try BenchmarkResult(contentsOf: URL(fileURLWithPath: from))
            } else {
                result = try await measured(in: folder ?? "")
            }
        } catch let error as EnforcementError {
            Terminal.complain("error: no hard cap can be set: \(error.reason)")
            throw ExitCode.unusable
        } catch let error as BenchmarkError {
            throw error.reported()
        }
        if let file = try page.file(for: report) {
            do {
                try Data(BenchmarkPage(result).html.utf8).write(to: URL(fileURLWithPath: file))
            } catch {
                Terminal.complain(
                    "error: \(file) cannot be written: \(error.systemReason)")
                throw ExitCode.unusable
            }
        }
        switch report.printed {
        case .json: try JSONOutput.print(result)
        case .text: TextOutput.printLines(MarkdownReport(result).summary)
        }
        try write(result)
        try checkThresholds(result, by: thresholds)
    }

    private func measured(in folder: String) async throws -> BenchmarkResult {
        let earlier = try othersFrom.map {
            try BenchmarkResult(contentsOf: URL(fileURLWithPath: $0))
        }
        let folders = BenchmarkFolders(tools: bench, program: Self.program)
        var benchmark = try await prepared(folder, folders)
        let machine = try await MachineFacts(
            peers: benchmark.peers, values: benchmark.values, hierarchy: benchmark.hierarchy)
        let missing = benchmark.removePeers { machine.versions[$0.name] == nil }
        if !missing.isEmpty {
            let names = missing.map(\.name).joined(separator: ", ")
            let complaint = "not installed: \(names); to install: \(folders.installing(missing))"
            guard compare == "all", !benchmark.peers.isEmpty else {
                throw BenchmarkError(complaint)
            }
            Terminal.complain("note: not compared, because " + complaint)
        }
        let measured = BenchmarkResult(
            benchmark, cells: try await cells(benchmark), machine: machine)
        return try earlier.map { try measured.adding(othersOf: $0) } ?? measured
    }

    private func prepared(
        _ folder: String, _ folders: BenchmarkFolders
    ) async throws -> PeakBenchmark {
        let folder = URL(fileURLWithPath: folder, isDirectory: true)
        var values = Peer.Values()
        values.bench = folders.tools.path
        values.peers = folders.environment.path
        values.products = Self.program.deletingLastPathComponent().path
        let peers = try PeerList(contentsOf: folders.peers)
        let store = try CellStore(folder: folders.kept.appending(path: "cells"))
        if fresh { store.clear() }
        let files = try await files(in: folder)
        var benchmark = PeakBenchmark(
            files: files, folder: folder,
            peers: try peers.choosing(
                othersFrom == nil ? compare.split(separator: ",").map(String.init) : ["none"]),
            caps: caps.caps, hierarchy: try ControlGroupHierarchy.delegated(), store: store,
            scratch: folders.kept.appending(path: "scratch-\(getpid())"))
        benchmark.timeLimit = .seconds(timeLimit)
        benchmark.values = values
        benchmark.quality = await qualityMeter(folders)
        return benchmark
    }

    private func files(in folder: URL) async throws -> [BenchmarkFile] {
        let inspector = try AttachmentInspector(settings: ProcessingSettings())
        do {
            let files = try await BenchmarkFile.all(in: folder, filter: filter) {
                try await inspector.inspect($0).content
            }
            await inspector.close()
            return files
        } catch {
            await inspector.close()
            throw error
        }
    }

    /// The quality meter; nil, and empty columns, if its tools are missing.
    private func qualityMeter(_ folders: BenchmarkFolders) async -> QualityMeter? {
        do throws(BenchmarkError) {
            let meter = try await QualityMeter(folders)
            if !meter.hasSSIMULACRA2 {
                Terminal.complain(
                    "note: no SSIMULACRA2; to install: \(folders.installingSSIMULACRA2)")
            }
            return meter
        } catch {
            Terminal.complain("note: \(error)")
            return nil
        }
    }

    private func cells(_ benchmark: PeakBenchmark) async throws -> [Cell] {
        defer { try? FileManager.default.removeItem(at: benchmark.scratch) }
        return try await interruptibleMeasurement { () async throws(BenchmarkError) in
            var progress = BenchProgress(total: benchmark.cellCount)
            defer { progress.finish() }
            return try await benchmark.run { progress.show($0) }
        }
    }

    private func write(_ result: BenchmarkResult) throws {
        try orExit { () throws(BenchmarkError) in
            if let setThresholds {
                try Thresholds(keptBy: result).write(to: URL(fileURLWithPath: setThresholds))
            }
            guard let output else { return }
            let files = try ResultFolder(URL(fileURLWithPath: output, isDirectory: true))
                .write(result)
            files.forEach { Terminal.complain("written: \($0.relativePath)") }
        }
    }

    private func checkThresholds(_ result: BenchmarkResult, by thresholds: Thresholds?) throws {
        guard let thresholds, let check else { return }
        let crossed = thresholds.crossed(by: result)
        guard !crossed.isEmpty else {
            Terminal.complain("no threshold of \(check) is crossed")
            return
        }
        crossed.forEach { Terminal.complain("crossed: \($0)") }
        Terminal.complain(
            "If this is intended, update them with --set-thresholds \(check), and give the reason in the "
                + "commit.")
        throw ExitCode(1)
    }
}
