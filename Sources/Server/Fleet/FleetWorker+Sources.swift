import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import AttachmentStore
import Foundation
import NotificationDelivery

/// Attachments of jobs.
extension FleetWorker {
    /// The request of a job before it is known whether the job has a result.
    typealias EarlyRequest = Result<AttachmentRequest?, FleetFailure>

    /// The request for an attachment in the fleet's own store; nil for others, which strangers would
    /// have to send again.
    func earlyRequest(_ job: FleetJob) async -> EarlyRequest? {
        guard case .object = job.source else { return nil }
        do throws(FleetFailure) {
            return .success(try await request(job))
        } catch {
            return .failure(error)
        }
    }

    /// The request to process a job's attachment; nil if the process is about to end.
    func request(_ job: FleetJob) async throws(FleetFailure) -> AttachmentRequest? {
        let (file, name): (AttachmentFile?, String)
        switch job.source {
        case .path(let path): (file, name) = (try opened(path), path)
        case .url(let url): (file, name) = (try await fetched(url), "download")
        case .object(let key): (file, name) = (try await object(key), "object")
        }
        guard let file else { return nil }
        var request = AttachmentRequest(
            path: name, identifier: job.identifier, category: job.category, below: job.below)
        request.file = file
        return request
    }

    private func opened(_ path: String) throws(FleetFailure) -> AttachmentFile {
        let file: AllowedFile
        do throws(DeliveryReason) {
            file = try parts.roots.open(URL(fileURLWithPath: path))
        } catch {
            throw FleetFailure(.init(error))
        }
        return try FleetFailure.catching { () throws(AttachmentError) in try file.attachment() }
    }

    private func fetched(_ url: String) async throws(FleetFailure) -> AttachmentFile? {
        let file: FetchedFile
        do throws(FetchError) {
            file = try await parts.fetcher.fetch(url)
        } catch {
            guard error.code != .cancelled else { return nil }
            throw FleetFailure(.init(error))
        }
        return try FleetFailure.catching { () throws(AttachmentError) in
            try file.attachment(path: "download")
        }
    }

    private func object(_ key: String) async throws(FleetFailure) -> AttachmentFile? {
        guard ObjectFiles.isKey(key) else { throw FleetFailure(.unknownSource) }
        let found: ObjectFile? = await untilStored { () async throws(StoreError) in
            do throws(StoreError) {
                return try await parts.files.file(key, within: limit).map { .file($0) } ?? .missing
            } catch {
                // It would be as long at every attempt.
                guard error.code == .tooLarge else { throw error }
                return .tooLarge
            }
        }
        switch found {
        case nil: return nil
        case .missing: throw FleetFailure(.unknownSource)
        case .tooLarge:
            throw FleetFailure(
                .init(
                    AttachmentError(
                        .tooLarge, file: "object",
                        reason: "it is longer than the limit on sources")))
        case .file(let file):
            let own = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
            return try FleetFailure.catching { () throws(AttachmentError) in
                try AttachmentFile(descriptor: own, path: "object")
            }
        }
    }

    private enum ObjectFile: Sendable {
        case file(OwnedDescriptor)
        case missing
        case tooLarge
    }
}

/// A failure that becomes a job's result.
struct FleetFailure: Error {
    let failure: FleetResult.Failure

    init(_ failure: FleetResult.Failure) { self.failure = failure }

    static func catching<Value>(
        _ body: () throws(AttachmentError) -> Value
    ) throws(FleetFailure) -> Value {
        do throws(AttachmentError) {
            return try body()
        } catch {
            throw FleetFailure(.init(error))
        }
    }
}
