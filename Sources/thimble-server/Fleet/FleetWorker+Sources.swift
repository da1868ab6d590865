import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import AttachmentStore
import Foundation
import NotificationDelivery

/// Attachments of jobs.
extension FleetWorker {
    /// The request of a job before it is known whether the job has a result.
    typealias EarlyRequest = Result<AttachmentRequest?, any Error>

    /// The request for an attachment in the fleet's own store; nil for others, which strangers would
    /// have to send again.
    func earlyRequest(_ job: FleetJob) async -> EarlyRequest? {
        guard case .object = job.source else { return nil }
        do {
            return .success(try await request(job))
        } catch {
            return .failure(error)
        }
    }

    /// The request to process a job's attachment; nil if the process is about to end.
    func request(_ job: FleetJob) async throws -> AttachmentRequest? {
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

    private func opened(_ path: String) throws -> AttachmentFile {
        let file: AllowedFile
        do throws(DeliveryReason) {
            file = try parts.roots.open(URL(fileURLWithPath: path))
        } catch {
            throw FleetFailure(
                code: error.code.rawValue, reason: error.message, remedy: error.remedy)
        }
        return try file.attachment()
    }

    private func fetched(_ url: String) async throws -> AttachmentFile? {
        let file: FetchedFile
        do throws(FetchError) {
            file = try await parts.fetcher.fetch(url)
        } catch {
            guard error.code != .cancelled else { return nil }
            throw FleetFailure(
                code: error.code.rawValue, reason: error.reason, remedy: error.code.remedy)
        }
        return try file.attachment(path: "download")
    }

    private func object(_ key: String) async throws -> AttachmentFile? {
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
            throw AttachmentError(
                .tooLarge, file: "object", reason: "it is longer than the limit on sources")
        case .file(let file):
            let own = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
            return try AttachmentFile(descriptor: own, path: "object")
        }
    }

    private enum ObjectFile: Sendable {
        case file(OwnedDescriptor)
        case missing
        case tooLarge
    }
}

extension FleetResult.Failure {
    init(_ error: AttachmentError) {
        self.init(code: error.code.rawValue, reason: error.reason, remedy: error.code.remedy)
    }
}

/// A failure that becomes a job's result.
struct FleetFailure: Error {
    let failure: FleetResult.Failure

    init(_ failure: FleetResult.Failure) { self.failure = failure }

    init(code: String, reason: String, remedy: String) {
        failure = .init(code: code, reason: reason, remedy: remedy)
    }
}
