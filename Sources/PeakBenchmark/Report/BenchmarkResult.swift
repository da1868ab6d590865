package import Foundation

/// All figures of one benchmark, as they are kept in `bench/results`.
package struct BenchmarkResult: Sendable, Codable {
    /// When the benchmark ended, in whole seconds.
    package let date: Date
    /// The machine.
    package let machine: MachineFacts
    /// The task, in words.
    package let task: String
    /// The caps in MiB, smallest first.
    package let caps: [Int]
    /// The peers, in the order of the tables; the first is the one that others stand beside.
    package let peers: [Peer]
    /// The files.
    package let files: [BenchmarkFile]
    /// What was found, file by file.
    package let cells: [Cell]

    /// Puts a result together.
    ///
    /// - Parameters:
    ///   - benchmark: What was run.
    ///   - cells: What was found.
    ///   - machine: The machine.
    ///   - date: When it ended. The default is now.
    package init(
        _ benchmark: PeakBenchmark, cells: [Cell], machine: MachineFacts, date: Date = Date()
    ) {
        let side = benchmark.values.width
        self.init(
            date: date, machine: machine,
            task: "fit within \(side)×\(side), keep the aspect, JPEG quality "
                + "\(benchmark.values.quality), PNG where there is alpha",
            caps: benchmark.caps, peers: benchmark.peers, files: benchmark.files, cells: cells)
    }

    init(
        date: Date, machine: MachineFacts, task: String, caps: [Int], peers: [Peer],
        files: [BenchmarkFile], cells: [Cell]
    ) {
        self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        self.machine = machine
        self.task = task
        self.caps = caps
        self.peers = peers
        self.files = files
        self.cells = cells
    }

    /// What was found about a file and a peer.
    ///
    /// - Parameters:
    ///   - file: The file's name.
    ///   - peer: The peer's name.
    /// - Returns: The cell; nil when there is none.
    package func cell(_ file: String, _ peer: String) -> Cell? {
        cells.first { $0.file == file && $0.peer == peer }
    }

    /// How many files a peer survived at full size, at a cap or below.
    ///
    /// - Parameters:
    ///   - peer: The peer's name.
    ///   - cap: The cap in MiB.
    /// - Returns: The number of files.
    package func survived(_ peer: String, cap: Int) -> Int {
        cells.count { $0.peer == peer && ($0.smallestCap ?? .max) <= cap }
    }

    /// How many files a peer made only a smaller picture of at a cap: reduced, or a preview.
    ///
    /// - Parameters:
    ///   - peer: The peer's name.
    ///   - cap: The cap in MiB.
    /// - Returns: The number of files.
    package func smaller(_ peer: String, cap: Int) -> Int {
        cells.count {
            $0.peer == peer && ($0.smallestCap ?? .max) > cap
                && ($0.smallestCapOfAnyPicture ?? .max) <= cap
        }
    }

    /// The result as JSON, keys in order.
    ///
    /// - Returns: The text.
    /// - Throws: What the encoder throws.
    package func json() throws -> String { try JSONText.of(self) }
}
