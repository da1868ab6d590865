internal import Foundation

/// All figures of one benchmark, as stored in `bench/results`.
struct BenchmarkResult: Sendable, Codable {
    /// End of the benchmark, in whole seconds.
    let date: Date
    let machine: MachineFacts
    let task: String
    /// In MiB, ascending.
    let caps: [Int]
    /// In the order of the tables.
    ///
    /// The first is compared with the others.
    let peers: [Peer]
    let files: [BenchmarkFile]
    let cells: [Cell]

    init(_ benchmark: PeakBenchmark, cells: [Cell], machine: MachineFacts, date: Date = Date()) {
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

    func cell(_ file: String, _ peer: String) -> Cell? {
        cells.first { $0.file == file && $0.peer == peer }
    }

    /// Number of files that a peer survived at full size, at the cap or below.
    func survived(_ peer: String, cap: Int) -> Int {
        cells.count { $0.peer == peer && ($0.smallestCap ?? .max) <= cap }
    }

    /// The smallest cap at which a file survived, or the reason for its absence.
    func smallestCap(of cell: Cell) -> String {
        if let cap = cell.smallestCap { return "\(cap)" }
        if cell.open.outcome == .timedOut { return "time" }
        if cell.capped.allSatisfy({ $0.outcome == .failed }) { return "–" }
        let largest = caps.last.map { ">\($0)" } ?? ">"
        return cell.smallestCapOfAnyPicture.map { "\(largest) (\($0))" } ?? largest
    }

    /// Number of files of which a peer made only a smaller picture at the cap.
    func smaller(_ peer: String, cap: Int) -> Int {
        cells.count {
            $0.peer == peer && ($0.smallestCap ?? .max) > cap
                && ($0.smallestCapOfAnyPicture ?? .max) <= cap
        }
    }
}
