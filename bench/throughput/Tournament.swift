import BenchmarkMeasuring
import Foundation

/// Runs the contenders in turn.
struct Tournament {
    let task: BenchmarkTask
    let thimble: URL
    let peers: [Peer]
    /// Folder for the output.
    let scratch: URL

    /// Runs every contender once for warm-up, then once per round.
    func run(rounds: Int) throws -> Measurements {
        let oneAtATime = Contender.thimble(thimble, task, jobs: 1)
        let oneThread = Contender.vipsthumbnail(task, oneThread: true)
        let twoAtOnce = Contender.thimble(thimble, task, jobs: 2)
        let defaultThreads = Contender.vipsthumbnail(task, oneThread: false)
        let floor = Contender.floor(task)
        // Contenders that are compared run consecutively.
        let order = [floor, oneAtATime, oneThread, twoAtOnce, defaultThreads]
        let installed = peers.compactMap { peer in
            peer.installedVersion.map { (peer: peer, version: $0) }
        }
        let present = Set(installed.map(\.peer.contender.name))

        var costs: [String: [Cost]] = [:]
        for round in 0...rounds {
            for contender in order + installed.map(\.peer.contender) {
                let cost = try contender.round(in: scratch)
                // The first round fills the file cache and does not count.
                if round > 0 { costs[contender.name, default: []].append(cost) }
            }
        }

        /// Quotients of one figure of two contenders, per round.
        func quotient(
            _ figure: (Cost) -> Double, of first: Contender, to second: Contender
        ) -> Spread {
            let pairs = zip(costs[first.name, default: []], costs[second.name, default: []])
            return Spread(pairs.map { figure($0) / figure($1) })
        }
        func ratio(
            _ name: String, _ figure: (Cost) -> Double, of first: Contender, to second: Contender
        ) -> Measurements.Ratio {
            Measurements.Ratio(
                name: "\(name), \(first.name) / \(second.name)",
                quotient: quotient(figure, of: first, to: second))
        }
        let count = task.corpus.files.count
        func row(_ contender: Contender) -> Measurements.Row {
            let costs = costs[contender.name, default: []]
            let milliseconds = 1000 / Double(count)
            return Measurements.Row(
                name: contender.name, command: contender.explanation,
                processor: .init(costs.map { $0.processor * milliseconds }),
                wall: .init(costs.map { $0.wall * milliseconds }))
        }
        return Measurements(
            attachments: count, rounds: rounds, rows: order.map(row),
            peers: installed.map { peer, version in
                Measurements.Peer(
                    row: row(peer.contender), version: version, remark: peer.remark,
                    processorRatio: quotient(\.processor, of: peer.contender, to: oneAtATime))
            },
            missingPeers: peers.map(\.contender.name).filter { !present.contains($0) },
            processorRatio: ratio("CPU", \.processor, of: oneAtATime, to: oneThread),
            wallRatio: ratio("Wall", \.wall, of: twoAtOnce, to: defaultThreads),
            floorRatio: ratio("CPU", \.processor, of: oneAtATime, to: floor))
    }
}
