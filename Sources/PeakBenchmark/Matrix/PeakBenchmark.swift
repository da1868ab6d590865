internal import AttachmentContainer
package import AttachmentWorker
package import Foundation

/// Gives every file to every peer, without a cap and then at each cap from the smallest up.
///
/// Runs follow one another, never two at once. What is found about a file and a peer is kept at
/// once, so that a benchmark that was interrupted goes on where it was.
package struct PeakBenchmark: Sendable {
    /// The files, in the order of the tables.
    package var files: [BenchmarkFile]
    /// The folder that they are in.
    package var folder: URL
    /// The peers, in the order of the tables.
    package var peers: [Peer]
    /// The caps in MiB, smallest first.
    package var caps: [Int]
    /// How long one run may take.
    package var timeLimit: Duration = .seconds(60)
    /// What stands for the placeholders that are the same for all.
    package var values = Peer.Values()
    /// Where groups under a cap are made.
    package var hierarchy: ControlGroupHierarchy
    /// What compares pictures with the reference; nil leaves quality out.
    package var quality: QualityMeter?
    /// Where what was found is kept.
    package var store: CellStore
    /// A folder for what peers write.
    package var scratch: URL

    /// Sets a benchmark up, without quality.
    ///
    /// - Parameters:
    ///   - files: The files, in the order of the tables.
    ///   - folder: The folder that they are in.
    ///   - peers: The peers, in the order of the tables.
    ///   - caps: The caps in MiB, smallest first.
    ///   - hierarchy: Where groups under a cap are made.
    ///   - store: Where what was found is kept.
    ///   - scratch: A folder for what peers write.
    package init(
        files: [BenchmarkFile], folder: URL, peers: [Peer], caps: [Int],
        hierarchy: ControlGroupHierarchy, store: CellStore, scratch: URL
    ) {
        self.files = files
        self.folder = folder
        self.peers = peers
        self.caps = caps
        self.hierarchy = hierarchy
        self.store = store
        self.scratch = scratch
    }

    /// What happens while the benchmark runs.
    package enum Event: Sendable {
        /// A file and a peer are done.
        case done(Cell, isNew: Bool)
        /// A picture could not be compared with its reference.
        case unmeasured(file: String, peer: String, reason: String)
    }

    /// How many cells there are to fill.
    package var cellCount: Int { files.count * peers.count }

    /// Runs everything that is not known yet.
    ///
    /// - Parameter report: Called with each event, in order.
    /// - Returns: The cells, file by file.
    /// - Throws: ``BenchmarkError`` when a command cannot be filled in, the cap cannot be enforced,
    ///   or the task was cancelled. A peer that fails, or is not installed, is a result.
    package func run(report: (Event) -> Void) async throws(BenchmarkError) -> [Cell] {
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
                let cell = try await fill(file, peer, report: report)
                try store.keep(cell, for: key)
                cells.append(cell)
                report(.done(cell, isNew: true))
            }
        }
        return cells
    }

    private func fill(
        _ file: BenchmarkFile, _ peer: Peer, report: (Event) -> Void
    ) async throws(BenchmarkError) -> Cell {
        let planned = peer.isSelfLimiting ? peer.planningCap : nil
        var pictures: [Attempt: URL] = [:]
        let open = try await attempt(file, peer, cap: nil, told: planned, keeping: &pictures)
        var capped: [Attempt] = []
        // What fails or takes too long without a cap does so with one.
        let isHopeless = !peer.isSelfLimiting && open.outcome != .survived
        for cap in isHopeless ? [] : caps {
            let attempt =
                cap == planned
                ? open.at(cap: cap)
                : try await attempt(file, peer, cap: cap, told: cap, keeping: &pictures)
            capped.append(attempt)
            if attempt.outcome == .survived { break }
        }
        if isHopeless { capped = caps.map { open.at(cap: $0) } }
        var cell = Cell(file: file.name, peer: peer.name, open: open, capped: capped)
        // Sound has no pixels, and of an animation tools choose frames of their own.
        if file.kind == .picture, let quality, let shown = cell.representative,
            let picture = pictures[shown]
                ?? pictures.first(where: { $0.key.picture?.digest == shown.picture?.digest })?.value
        {
            do {
                cell.quality = try await quality.compare(
                    picture, with: folder.appending(path: file.name))
            } catch {
                report(
                    .unmeasured(file: file.name, peer: peer.name, reason: error.description))
            }
        }
        return cell
    }

    /// Runs a peer once, and adds what it made to the pictures.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - peer: The peer.
    ///   - cap: The cap in MiB that the run counts for; nil for none.
    ///   - told: The cap in MiB that the command is told, if it asks.
    ///   - pictures: Where the path of what was made is added.
    /// - Returns: What became of it.
    /// - Throws: ``BenchmarkError`` when it cannot be run.
    private func attempt(
        _ file: BenchmarkFile, _ peer: Peer, cap: Int?, told: Int?,
        keeping pictures: inout [Attempt: URL]
    ) async throws(BenchmarkError) -> Attempt {
        let place = scratch.appending(path: "\(cap ?? 0)", directoryHint: .isDirectory)
        if cap == nil { try? FileManager.default.removeItem(at: scratch) }
        do {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        } catch {
            throw BenchmarkError("\(place.path) cannot be made: \(error.localizedDescription)")
        }
        let output =
            peer.output == .container
            ? place.appending(path: "container", directoryHint: .isDirectory)
            : place.appending(path: "result.\(file.outputExtension)")
        var values = values
        values.input = folder.appending(path: file.name).path
        values.output = output.path
        values.cap = told ?? cap ?? 0
        var run = CommandRun(try peer.filled(peer.command, with: values), in: place)
        run.environment = peer.environment ?? [:]
        run.timeLimit = timeLimit
        run.worker = peer.worker
        if let cap, !peer.isSelfLimiting {
            do {
                run.group = try hierarchy.makeGroup(limit: .mebibytes(cap))
            } catch {
                throw BenchmarkError(error.description)
            }
        }
        defer { run.group?.remove() }
        var measurement: Measurement
        do {
            measurement = try await run.measure()
        } catch {
            if error.isInterruption { throw error }
            measurement = Measurement(notStarted: error.description)
        }
        // Results are read on other machines, where paths of this one mean nothing.
        measurement.complaint = measurement.complaint.replacing(values.input, with: file.name)
            .replacing(place.path + "/", with: "")
        let judge = Judge(
            peer: peer, file: file, source: folder.appending(path: file.name), side: values.width)
        let (attempt, picture) = judge.attempt(measurement, output: output, cap: cap)
        if let picture { pictures[attempt] = picture }
        return attempt
    }
}

extension Attempt {
    /// The same finding, for a cap that it holds for as well.
    fileprivate func at(cap: Int) -> Attempt {
        Attempt(
            cap: cap, outcome: outcome, reason: reason, measurement: measurement, picture: picture)
    }
}
