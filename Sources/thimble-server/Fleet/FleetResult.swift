package import AttachmentContainer
import AttachmentModel
package import Foundation

/// The end of a job: a manifest, or a typed reason for its absence.
///
/// It is stored under the job's number before the job is acknowledged, and is the truth about it.
package struct FleetResult: Codable, Sendable, Equatable {
    /// The reason for which a notification has no picture.
    package struct Failure: Codable, Sendable, Hashable {
        package let code: String
        package let reason: String
        package let remedy: String

        package init(code: String, reason: String, remedy: String) {
            self.code = code
            self.reason = reason
            self.remedy = remedy
        }
    }

    package var version = FleetJob.currentVersion
    package let job: String
    package let identifier: String
    /// Nil if the notification is to be sent without a picture.
    package let manifest: Manifest?
    /// URLs of the published renditions, by role.
    package let urls: [String: String]?
    /// Nil with a manifest.
    package let failure: Failure?
    package let finishedAt: Date
    /// Host and process that finished it.
    package let worker: String

    package init(_ job: FleetJob, manifest: Manifest, urls: [String: String], worker: String) {
        self.job = job.job
        identifier = job.identifier
        self.manifest = manifest
        self.urls = urls
        failure = nil
        finishedAt = Date()
        self.worker = worker
    }

    package init(_ job: FleetJob, failure: Failure, worker: String) {
        self.job = job.job
        identifier = job.identifier
        manifest = nil
        urls = nil
        self.failure = failure
        finishedAt = Date()
        self.worker = worker
    }

    /// True if it answers a job of its number.
    ///
    /// A failure that another attempt may avoid, such as a deadline or a server that did not answer,
    /// answers only jobs that were submitted before it.
    package func settles(_ job: FleetJob) -> Bool {
        guard let failure, finishedAt < job.enqueuedAt else { return true }
        guard case .object = job.source else { return false }
        return !Self.passing.contains(failure.code)
    }

    private static let passing: Set<String> = [
        Failure.late.code, Failure.unknownSource.code, AttachmentError.Code.late.rawValue,
        AttachmentError.Code.storage.rawValue, AttachmentError.Code.cancelled.rawValue, "worker",
    ]

    /// The same for another job with an equal attachment and equal settings.
    func readdressed(to other: FleetJob) -> FleetResult? {
        guard let manifest, let urls else { return nil }
        return FleetResult(
            other, manifest: manifest.readdressed(to: other.identifier, category: other.category),
            urls: urls, worker: worker)
    }

    /// The key of a job's result in the store.
    package static func key(_ job: String) -> String { "results/\(job.prefix(2))/\(job).json" }
}

extension FleetResult.Failure {
    package static let late = Self(
        code: "late", reason: "its deadline passed before it was begun",
        remedy: "allow more time, or start more workers")
    package static let consumerLost = Self(
        code: "consumer-lost", reason: "all workers that began it were lost",
        remedy: "look at it with thimble-server dead show, and at the workers' logs")
    package static let unknownSource = Self(
        code: "missing-source", reason: "the store has no object under the source's key",
        remedy: "upload the attachment before the job is submitted")
}
