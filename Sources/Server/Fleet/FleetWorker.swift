package import AttachmentContainer
package import AttachmentFetch
package import AttachmentModel
import AttachmentPublishing
package import AttachmentStore
import Foundation
package import JobBroker
package import Logging
package import NotificationDelivery
import Synchronization

/// Works on jobs: processes the attachment under the cap, publishes its renditions, stores the
/// result, answers, and only then acknowledges.
///
/// A job that comes again, because a worker or a connection was lost, is answered from the store. Two
/// workers on the same job publish equal renditions under equal names.
package struct FleetWorker: Sendable {
    /// The parts of a worker.
    package struct Parts: Sendable {
        let fetcher: AttachmentFetcher
        let files: ObjectFiles
        let container: SharedContainer
        let messages: JobPublisher
        let roots: AllowedRoots

        package init(
            fetcher: AttachmentFetcher, files: ObjectFiles, container: SharedContainer,
            messages: JobPublisher, roots: AllowedRoots
        ) {
            self.fetcher = fetcher
            self.files = files
            self.container = container
            self.messages = messages
            self.roots = roots
        }
    }

    let parts: Parts
    let settings: ProcessingSettings
    let places: Places
    /// Time for one request to the store.
    let limit = Duration.seconds(30)
    let counters: FleetCounters
    let logger: Logger

    /// Host and process.
    package static let name =
        "\(ProcessInfo.processInfo.hostName)/\(ProcessInfo.processInfo.processIdentifier)"

    /// Creates a worker.
    ///
    /// `settings` apply to jobs that name no others.
    package init(
        _ parts: Parts, settings: ProcessingSettings, places: @escaping Places,
        counters: FleetCounters, _ logger: Logger
    ) {
        self.parts = parts
        self.settings = settings
        self.places = places
        self.counters = counters
        self.logger = logger
    }

    /// Works on one job, until its result is stored.
    ///
    /// While the store or the broker is unavailable, the job waits, and is given back on
    /// cancellation.
    package func work(
        _ queue: JobQueue, _ delivery: BrokerDelivery
    ) async -> JobConsumer.Settlement {
        let job: FleetJob
        do throws(FleetJob.Invalid) {
            job = try FleetJob(reading: delivery.message.body)
        } catch {
            // Nobody can be answered; operators see the message.
            counters.count("invalid-job")
            logger.warning("invalid job", metadata: ["reason": "\(error.reason)"])
            return await keep(delivery) ? .done : .givenBack
        }
        counters.received(job)
        let isLost = queue == .lost && delivery.isRedelivered
        let found: FleetResult?
        do throws(NoPlace) {
            found = try await result(of: job, isLost: isLost)
        } catch {
            return await putBack(delivery, queue)
        }
        guard let result = found else { return .givenBack }
        if isLost, result.failure?.code == FleetResult.Failure.consumerLost.code,
            await !keep(delivery)
        {
            return .givenBack
        }
        await answer(job, result)
        return .done
    }

    /// The stored result; nil if the process is about to end.
    private func result(
        of job: FleetJob, isLost: Bool
    ) async throws(NoPlace) -> FleetResult? {
        // Most jobs are new, so that two requests at once take less time and less CPU.
        async let early = isLost || job.isLate ? nil : earlyRequest(job)
        guard let known = await stored(job) else { return nil }
        if let known {
            counters.count("known")
            return known
        }
        let result: FleetResult
        if isLost {
            result = FleetResult(job, failure: .consumerLost, worker: Self.name)
        } else if job.isLate {
            // The store may have been away since the job came.
            result = FleetResult(job, failure: .late, worker: Self.name)
        } else {
            guard let processed = try await process(job, await early) else { return nil }
            result = processed
        }
        guard await store(result) else { return nil }
        counters.count(result.failure?.code ?? "renditions")
        return result
    }

    /// The result that the store has for a job, if any; nil if the process is about to end.
    private func stored(_ job: FleetJob) async -> FleetResult?? {
        await untilStored { () async throws(StoreError) -> FleetResult? in
            try await parts.files.result(of: job, within: limit)
        }
    }

    /// Stores a result; false if the process is about to end.
    private func store(_ result: FleetResult) async -> Bool {
        let bytes = [UInt8]((try? JSONEncoder.fleet.encode(result)) ?? Data())
        return await untilStored { () async throws(StoreError) in
            try await parts.files.store(
                bytes, as: FleetResult.key(result.job), contentType: "application/json",
                within: limit)
        } != nil
    }

    /// The result of a job; nil if the process is about to end.
    private func process(
        _ job: FleetJob, _ early: EarlyRequest?
    ) async throws(NoPlace) -> FleetResult? {
        let found: (place: Place, presets: PresetSelection)?
        do throws(FleetFailure) {
            found = try place(for: job)
        } catch {
            return FleetResult(job, failure: error.failure, worker: Self.name)
        }
        guard let (place, presets) = found else { throw NoPlace() }
        defer { place.leave() }
        let request: AttachmentRequest
        let shared: FleetJob?
        do throws(FleetFailure) {
            let found =
                if let early { try early.get() } else { try await self.request(job) }
            guard let found else { return nil }
            request = found
            shared = try await self.shared(job, request)
        } catch {
            return FleetResult(job, failure: error.failure, worker: Self.name)
        }
        if let shared {
            guard let known = await stored(shared) else { return nil }
            if let readdressed = known?.readdressed(to: job) { return readdressed }
        }
        let done: ProcessedAttachment
        do throws(AttachmentError) {
            var request = request
            request.presets = presets
            done = try await place.processor.process(request)
        } catch {
            guard error.code != .cancelled, !Task.isCancelled else { return nil }
            return FleetResult(job, failure: .init(error), worker: Self.name)
        }
        let urls: [String: String]
        do throws(ContainerError) {
            guard let stored = try await publish(done.manifest.renditions) else { return nil }
            urls = stored
        } catch {
            return FleetResult(
                job,
                failure: .init(AttachmentError.storing(error, of: request.path)),
                worker: Self.name)
        }
        let result = FleetResult(job, manifest: done.manifest, urls: urls, worker: Self.name)
        if let shared, let readdressed = result.readdressed(to: shared) {
            guard await store(readdressed) else { return nil }
        }
        return result
    }

    /// Stores renditions at once, and returns their URLs by role; nil if the process is about to end.
    ///
    /// The store is not asked whether it has them: the job's result would say so.
    private func publish(
        _ renditions: [Manifest.Rendition]
    ) async throws(ContainerError) -> [String: String]? {
        let bodies = try await BlockingWork.run { [parts] () throws(ContainerError) in
            try renditions.map { rendition throws(ContainerError) in
                (rendition, try parts.container.openRendition(rendition))
            }
        }
        return await withTaskGroup(of: (role: String, url: String?).self) { group in
            for (rendition, body) in bodies {
                group.addTask {
                    let url = await untilStored { () async throws(StoreError) in
                        try await parts.files.store(body, of: rendition, within: limit)
                    }
                    return (rendition.role.rawValue, url)
                }
            }
            var urls: [String: String] = [:]
            for await (role, url) in group { urls[role] = url }
            return urls.count == renditions.count ? urls : nil
        }
    }

    /// The job by the attachment's digest, for one that names a location: two locations may have the
    /// same attachment.
    private func shared(
        _ job: FleetJob, _ request: AttachmentRequest
    ) async throws(FleetFailure) -> FleetJob? {
        if case .object = job.source { return nil }
        guard let file = request.file else { return nil }
        let digest: ContentDigest
        do throws(AttachmentError) {
            digest = try await BlockingWork.run { () throws(AttachmentError) in
                try file.digest()
            }
        } catch {
            throw FleetFailure(.init(error))
        }
        return .shared(digest, settings: job.settings, below: job.below)
    }

    /// Repeats a request to the store until it succeeds; nil if the process is about to end.
    ///
    /// The broker keeps the job meanwhile, and no other worker would have more success.
    func untilStored<Value: Sendable>(
        _ request: () async throws(StoreError) -> Value
    ) async -> Value? {
        var pause = 0.2
        while !Task.isCancelled {
            do throws(StoreError) {
                let value = try await request()
                counters.storeAnswered(logger)
                return value
            } catch {
                counters.storeFailed(error, logger)
            }
            if counters.isEnding { return nil }
            try? await Deadline.sleep(for: .seconds(.random(in: pause / 2...pause)))
            pause = min(5, pause * 2)
        }
        return nil
    }
}
