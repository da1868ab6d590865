internal import Foundation

extension BenchmarkResult {
    /// Reads an earlier result.
    init(contentsOf file: URL) throws(BenchmarkError) {
        do {
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            self = try decoder.decode(Self.self, from: try Data(contentsOf: file))
        } catch {
            throw BenchmarkError(
                "\(file.path) is no result of a benchmark: \(error.systemReason)")
        }
    }

    /// The result with the figures of the other tools from an earlier one.
    ///
    /// - Throws: `BenchmarkError` unless machine, task, caps and files are the same.
    func adding(othersOf earlier: BenchmarkResult) throws(BenchmarkError) -> BenchmarkResult {
        let pairs = [
            ("machine", machine.hardware, earlier.machine.hardware), ("task", task, earlier.task),
            ("caps", "\(caps)", "\(earlier.caps)"),
        ]
        for (name, here, there) in pairs where here != there {
            throw BenchmarkError(
                "the earlier result has another \(name): \(there), not \(here); measure all tools")
        }
        for file in files where !earlier.files.contains(file) {
            throw BenchmarkError(
                "the earlier result has another \(file.name), or none; measure all tools")
        }
        let own = Set(peers.map(\.name))
        let others = earlier.peers.filter { !own.contains($0.name) }
        let names = Set(files.map(\.name))
        return BenchmarkResult(
            date: date,
            machine: machine.adding(earlier.machine.versions.filter { !own.contains($0.key) }),
            task: task, caps: caps, peers: peers + others, files: files,
            cells: cells
                + earlier.cells.filter { !own.contains($0.peer) && names.contains($0.file) })
    }
}
