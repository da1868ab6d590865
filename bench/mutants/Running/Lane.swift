import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
import Logging
import WorkerProtocol

/// Decodes mutants one after the other, with one worker for each selection of presets.
///
/// Each lane has pools of its own, so that the loss of a worker belongs to one mutant.
struct Lane {
    private let pools: [PresetSelection: WorkerPool]
    private let losses = LossLog()
    private let file: URL
    private let cap: ByteCount

    /// Limits on the worker.
    struct Limits: Sendable {
        let settings: ProcessingSettings
        let enforcement: Enforcement
        let sandbox: SandboxMode
        let timeout: Duration
    }

    init(
        in workplace: Workplace, limits: Limits, presets: [PresetSelection]
    ) async throws {
        let losses = losses
        var pools: [PresetSelection: WorkerPool] = [:]
        for selection in Set(presets) {
            var settings = limits.settings
            settings.presets = selection
            let pool = try WorkerPool(
                settings: settings, container: workplace.container,
                enforcement: limits.enforcement, timeout: limits.timeout, sandbox: limits.sandbox,
                logger: Logger(label: "mutants") { _ in LossHandler(losses) })
            try await pool.warmUp()
            pools[selection] = pool
        }
        self.pools = pools
        file = workplace.folder.appending(path: UUID().uuidString)
        cap = limits.settings.cap.footprint
    }

    /// Decodes mutants until the queue is empty.
    func work(on queue: MutantQueue, _ generator: MutantGenerator) async throws -> Tally {
        var tally = Tally()
        while let number = queue.next() {
            let mutant = generator.mutant(number)
            try Data(mutant.bytes).write(to: file)
            guard let pool = pools[mutant.presets] else {
                preconditionFailure("there is no pool for \(mutant.presets)")
            }
            await decode(mutant, in: pool, &tally)
            queue.finish()
        }
        for pool in pools.values {
            tally.enforcement = pool.hardCap.mechanism
            tally.sandbox = pool.sandbox
            await pool.close()
        }
        return tally
    }

    private func decode(
        _ mutant: MutantGenerator.Mutant, in pool: WorkerPool, _ tally: inout Tally
    ) async {
        let start = ContinuousClock.now
        var faults: [String] = []
        do throws(AttachmentError) {
            let done = try await pool.process(file.path, identifier: "mutant-\(mutant.number)")
            tally.count("rendition", of: mutant.structure)
            tally.renditions += done.manifest.renditions.count
            faults += Self.faults(of: done.manifest.renditions, for: mutant.presets)
            tally.highestPeak = max(tally.highestPeak, done.memory.measuredPeak)
            if done.memory.measuredPeak > cap {
                faults.append("peaked at \(done.memory.measuredPeak)")
            }
            if let predicted = done.memory.predictedPeak, done.memory.measuredPeak > predicted {
                faults.append(
                    "peaked at \(done.memory.measuredPeak), predicted at \(predicted)")
            }
        } catch {
            tally.count(error.code.rawValue, of: mutant.structure)
            if !Self.allowed.contains(error.code) || error.reason.isEmpty {
                faults.append(error.detailedDescription)
            }
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        if seconds > tally.slowest.seconds { tally.slowest = (seconds, mutant.number) }
        for cause in losses.take() {
            // The cap held: the rung needed more than predicted and was stopped.
            if cause == "memory" {
                tally.stoppedAtCap += 1
            } else {
                faults.append("lost: \(cause)")
            }
        }
        if !faults.isEmpty {
            tally.findings.append(
                Finding(
                    number: mutant.number, story: mutant.story,
                    fault: faults.joined(separator: "; ")))
        }
    }

    /// The renditions that a selection lacks, or has in vain; sound and movies are passed through.
    private static func faults(
        of renditions: [Manifest.Rendition], for presets: PresetSelection
    ) -> [String] {
        let roles = renditions.map(\.role).filter { $0 != .attachment }
        return roles == presets.roles || roles == [.media]
            ? [] : ["the renditions \(roles.map(\.rawValue))"]
    }

    /// Errors allowed for damaged pictures.
    ///
    /// Any other is a bug.
    static let allowed: Set<AttachmentError.Code> = [
        .empty, .unsupported, .truncated, .corrupt, .dimensions, .sparse, .tooLarge, .doesNotFit,
        .decoderLimit, .overCap, .scratchLimit, .tooManyFrames, .tooLong, .canvas,
    ]
}
