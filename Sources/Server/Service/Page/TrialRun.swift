import AttachmentContainer
import AttachmentModel
import AttachmentPublishing
import AttachmentWorker
import Foundation
import Logging
import ServiceOptions
import WorkerProtocol

/// One attachment in a worker of its own, with settings of its own, whose footprint is recorded.
struct TrialRun: Sendable {
    let settings: ProcessingSettings
    let configuration: ServiceConfiguration
    let logger: Logger

    /// Adds facts, renditions and measurements to an answer; what fails is in it as a problem.
    func run(
        _ file: AttachmentFile, in container: SharedContainer,
        until deadline: ContinuousClock.Instant, into answer: inout TrialAnswer
    ) async {
        let recorder = FootprintRecorder()
        let pool: WorkerPool
        do throws(WorkerPoolError) {
            pool = try WorkerPool(
                settings: settings, container: container, workers: 1,
                enforcement: configuration.workers.enforcement,
                timeout: .seconds(configuration.workers.timeout),
                sandbox: configuration.workers.sandbox, threads: configuration.workers.threads,
                logger: logger, recorder: recorder)
        } catch {
            logger.error("no trial", metadata: ["reason": .string("\(error)")])
            answer.problem = .init(.internalError)
            return
        }
        var request = AttachmentRequest(path: file.path, identifier: "trial", deadline: deadline)
        request.file = file
        let begun = ContinuousClock.now
        do throws(AttachmentError) {
            answer.add(try await pool.inspect(request))
            let processed = ContinuousClock.now
            let done = try await pool.process(request)
            answer.seconds = processed.duration(to: .now) / .seconds(1)
            answer = await BlockingWork.run { [answer] in
                var answer = answer
                answer.add(done, in: container)
                return answer
            }
        } catch {
            answer.seconds = begun.duration(to: .now) / .seconds(1)
            answer.problem = .init(Problem(error))
        }
        answer.add(recorder.series)
        answer.enforcement = pool.hardCap.mechanism.rawValue
        answer.sandbox = pool.sandbox?.summary
        answer.workersLost = pool.statistics.lost
        await pool.close()
    }
}
