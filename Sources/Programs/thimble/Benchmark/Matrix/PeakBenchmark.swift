internal import AttachmentContainer
internal import AttachmentWorker
internal import Foundation

/// Runs every peer on every file, without a cap and then at each cap in ascending order.
///
/// Runs are sequential. Every cell is stored as soon as it is measured, so an interrupted benchmark
/// resumes.
struct PeakBenchmark: Sendable {
    /// In the order of the tables.
    var files: [BenchmarkFile]
    var folder: URL
    /// In the order of the tables.
    var peers: [Peer]
    /// In MiB, ascending.
    var caps: [Int]
    var timeLimit: Duration = .seconds(60)
    /// Values of placeholders that are the same for all runs.
    var values = Peer.Values()
    /// Hierarchy for the capped groups.
    var hierarchy: ControlGroupHierarchy
    /// Nil omits quality.
    var quality: QualityMeter?
    var store: CellStore
    /// Folder for the peers' output.
    var scratch: URL

    enum Event: Sendable {
        case done(Cell, isNew: Bool)
        /// A picture could not be compared with its reference.
        case unmeasured(file: String, peer: String, reason: String)
    }

    var cellCount: Int { files.count * peers.count }

    /// Removes tools; the result is those.
    mutating func removePeers(_ isUnsuited: (Peer) -> Bool) -> [Peer] {
        let removed = peers.filter(isUnsuited)
        peers.removeAll(where: isUnsuited)
        return removed
    }

    func run(report: (Event) -> Void) async throws(BenchmarkError) -> [Cell] {
        var cells: [Cell] = []
        for file in files {
            for peer in peers {
                let key = store.key(
                    file: folder.appending(path: file.name), peer: peer,
                    command: try peer.filled(peer.command, with: values),
                    conditions: "\(caps) \(timeLimit)"
                        + (peer.planningCap.map { " \($0)" } ?? ""))
                if let known = store.cell(for: key) {
                    cells.append(known)
                    report(.done(known, isNew: false))
                    continue
                }
                let cell = try await measure(file, peer, report: report)
                try store.keep(cell, for: key)
                cells.append(cell)
                report(.done(cell, isNew: true))
            }
        }
        return cells
    }

    private func measure(
        _ file: BenchmarkFile, _ peer: Peer, report: (Event) -> Void
    ) async throws(BenchmarkError) -> Cell {
        let planned = peer.isSelfLimiting ? peer.planningCap : nil
        var pictures: [Attempt: URL] = [:]
        let open = try await attempt(file, peer, cap: nil, planningCap: planned, keeping: &pictures)
        var capped: [Attempt] = []
        // A run that fails or times out without a cap also does so with one.
        let failsUncapped = !peer.isSelfLimiting && open.outcome != .survived
        for cap in failsUncapped ? [] : caps {
            let attempt =
                cap == planned
                ? open.at(cap: cap)
                : try await attempt(file, peer, cap: cap, planningCap: cap, keeping: &pictures)
            capped.append(attempt)
            if attempt.outcome == .survived { break }
        }
        if failsUncapped { capped = caps.map { open.at(cap: $0) } }
        var cell = Cell(file: file.name, peer: peer.name, open: open, capped: capped)
        // Sound has no pixels, and tools choose different frames of an animation.
        if file.kind == .picture, let quality, let shown = cell.representative,
            let picture = pictures[shown]
                ?? pictures.first(where: { $0.key.picture?.digest == shown.picture?.digest })?.value
        {
            do {
                cell.quality = try await quality.compare(
                    picture, with: folder.appending(path: file.name))
            } catch {
                report(.unmeasured(file: file.name, peer: peer.name, reason: error.description))
            }
        }
        return cell
    }

    private func attempt(
        _ file: BenchmarkFile, _ peer: Peer, cap: Int?, planningCap: Int?,
        keeping pictures: inout [Attempt: URL]
    ) async throws(BenchmarkError) -> Attempt {
        let place = scratch.appending(path: "\(cap ?? 0)", directoryHint: .isDirectory)
        if cap == nil { try? FileManager.default.removeItem(at: scratch) }
        let output =
            peer.output == .container
            ? place.appending(path: "container", directoryHint: .isDirectory)
            : place.appending(path: "result.\(file.outputExtension)")
        var values = values
        values.input = folder.appending(path: file.name).path
        values.output = output.path
        values.cap = planningCap ?? cap ?? 0
        let command = try peer.filled(peer.command, with: values)
        var measurement = try await measure(command, peer, cap: cap, in: place)
        for _ in 1..<Self.mostRuns where !measurement.isComplete {
            measurement = try await measure(command, peer, cap: cap, in: place)
        }
        // Remove paths of this machine, since results are read on others.
        measurement.complaint = measurement.complaint.replacing(values.input, with: file.name)
            .replacing(place.path + "/", with: "")
        let classifier = OutcomeClassifier(
            peer: peer, file: file, source: folder.appending(path: file.name), side: values.width)
        let (attempt, picture) = classifier.attempt(measurement, output: output, cap: cap)
        if let picture { pictures[attempt] = picture }
        return attempt
    }

    /// Runs of a command while the machine is too busy to measure it.
    private static let mostRuns = 5

    /// Runs a command once, in an empty folder.
    private func measure(
        _ command: [String], _ peer: Peer, cap: Int?, in place: URL
    ) async throws(BenchmarkError) -> Measurement {
        try? FileManager.default.removeItem(at: place)
        do {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        } catch {
            throw BenchmarkError("\(place.path) cannot be created: \(error.systemReason)")
        }
        var run = CommandRun(command, in: place)
        run.environment = peer.environment ?? [:]
        run.timeLimit = timeLimit
        run.workers = peer.workers ?? []
        if let cap, !peer.isSelfLimiting {
            do {
                run.group = try hierarchy.makeGroup(limit: .mebibytes(cap))
            } catch {
                throw BenchmarkError(error.description)
            }
        }
        defer { run.group?.remove() }
        do {
            return try await run.measure()
        } catch {
            if error.isInterruption { throw error }
            return Measurement(notStarted: error.description)
        }
    }
}

extension Attempt {
    fileprivate func at(cap: Int) -> Attempt {
        Attempt(
            cap: cap, outcome: outcome, reason: reason, measurement: measurement, picture: picture)
    }
}
