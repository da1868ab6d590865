import ArgumentParser
import AttachmentContainer
import AttachmentWorker
import Foundation

/// `thimble bench-flat`: records one worker's footprint over thousands of attachments.
struct BenchFlat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-flat",
        abstract: "Record one worker's footprint over thousands of attachments.",
        discussion: """
            Copies of the folder's pictures, each made unique by a few bytes so that none is \
            recognised, go through one warm worker. Its footprint between attachments must \
            not grow by more than --growth after the first hundred.

            EXAMPLES
              thimble bench-flat Photos
              thimble bench-flat Photos --count 1000

            EXIT CODES
              0    the footprint stayed flat
              1    it grew by more, or it cannot be measured
              130  interrupted
            """)

    @Argument(help: "The folder of pictures, of 600 pixels at least.", completion: .directory)
    var folder: String

    @Option(help: "Number of attachments.")
    var count = 10_000

    @Option(help: "Limit on the growth of the footprint between attachments.")
    var growth = ByteCount.megabytes(1)

    @Option(help: "Write dated results and charts to this folder.", completion: .directory)
    var output: String?

    @Option(help: "What to print on standard output: text or json.")
    var report = ReportFormat.text

    func validate() throws {
        guard 300...999_999 ~= count else {
            throw ValidationError("--count must be from 300 to 999999.")
        }
    }

    func run() async throws {
        let run = FlatRun(
            thimble: Self.program, pictures: URL(fileURLWithPath: folder, isDirectory: true),
            count: count,
            scratch: BenchmarkFolders(program: Self.program).kept
                .appending(path: "flat-\(getpid())"))
        let series: FlatSeries
        do throws(BenchmarkError) {
            series = try await interruptibleMeasurement { () async throws(BenchmarkError) in
                let isInteractive = Terminal.isInteractive
                let bar = ProgressBar(total: run.count)
                defer { if isInteractive { bar.erase() } }
                return try await run.measure { done in
                    guard done.isMultiple(of: FlatRun.window) else { return }
                    if isInteractive {
                        bar.draw(done)
                    } else if done.isMultiple(of: 10 * FlatRun.window) {
                        Terminal.complain("[\(done)/\(run.count)]")
                    }
                }
            }
        } catch {
            throw error.reported()
        }
        try await finish(series)
    }

    private func finish(_ series: FlatSeries) async throws {
        let machine = try await MachineFacts(
            peers: [], values: Peer.Values(), hierarchy: try? .delegated())
        let result = FlatResult(series, machine: machine)
        switch report {
        case .json: try JSONOutput.print(result)
        case .text: TextOutput.printLines(result.summary)
        }
        if let output {
            let files = try orExit { () throws(BenchmarkError) in
                try result.write(to: URL(fileURLWithPath: output, isDirectory: true))
            }
            files.forEach { Terminal.complain("written: \($0.relativePath)") }
        }
        guard series.workers == 1 else {
            Terminal.complain("error: \(series.workers) workers were used instead of one")
            throw ExitCode.unusable
        }
        guard series.growth <= growth else {
            Terminal.complain("crossed: it grew by \(series.growth), more than \(growth)")
            throw ExitCode.unusable
        }
    }
}
