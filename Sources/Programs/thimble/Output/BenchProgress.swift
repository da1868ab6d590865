/// Progress of a benchmark: a bar on a terminal, else one line per file and tool.
struct BenchProgress {
    private let total: Int
    private let isInteractive = Terminal.isInteractive
    private let bar: ProgressBar
    private var finished = 0
    private var known = 0

    init(total: Int) {
        self.total = total
        bar = ProgressBar(total: total)
    }

    mutating func show(_ event: PeakBenchmark.Event) {
        switch event {
        case .done(let cell, let isNew):
            finished += 1
            if !isNew { known += 1 }
            if !isInteractive, isNew { Terminal.complain(line(for: cell)) }
            draw(cell)
        case .unmeasured(let file, let peer, let reason):
            if isInteractive { bar.erase() }
            Terminal.complain("no quality figures: \(file), \(peer): \(reason)")
        }
    }

    func finish() {
        if isInteractive { bar.erase() }
        if known > 0 { Terminal.complain("\(known) of \(total) were measured before") }
    }

    private func draw(_ cell: Cell) {
        guard isInteractive else { return }
        bar.draw(finished, skipped: known, note: "  \(cell.peer) \(cell.file)".prefix(44) + "")
    }

    private func line(for cell: Cell) -> String {
        let cap = cell.smallestCap.map { "survives \($0) MiB" } ?? cell.open.outcome.rawValue
        let peak = cell.representative.map { ", peak \($0.measurement.peakFootprint)" } ?? ""
        return "[\(finished)/\(total)] \(cell.file), \(cell.peer): \(cap)\(peak)"
    }
}
