package import AttachmentContainer
import AttachmentFetch
package import AttachmentModel
package import Foundation
import JobBroker
import NotificationDelivery

/// The end of a job: a manifest, or a typed reason for its absence.
///
/// It is stored under the job's number before the job is acknowledged, and is authoritative.
package struct FleetResult: Codable, Sendable, Equatable {
    /// The reason for which a notification has no picture.
    package struct Failure: Sendable, Hashable {
        package let fault: Fault
        /// Seconds for which the result answers equal jobs that are submitted after it.
        package let lifetime: Int

        package init(_ fault: Fault, lifetime: FailureLifetime) {
            self.fault = fault
            self.lifetime = lifetime.seconds
        }

        package var code: String { fault.code }
    }

    /// Longest result, in bytes.
    static let maximumBytes = 1 << 20

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

    /// Longest difference of the clocks of two machines, in seconds.
    private static let longestSkew = 900.0

    /// True if the result answers a job of its number.
    ///
    /// A failure answers jobs that were submitted before it, and later ones for its lifetime. A
    /// failure from a clock far ahead answers none; otherwise it would answer until its time has
    /// come.
    package func settles(_ job: FleetJob, at now: Date = Date()) -> Bool {
        guard let failure else { return true }
        guard finishedAt <= now + Self.longestSkew else { return false }
        guard finishedAt < job.enqueuedAt else { return true }
        return now < finishedAt + Double(failure.lifetime(at: job.source))
    }

    /// The result in a message; nil if invalid, or if another job identifies the message.
    init?(_ message: BrokerMessage) {
        guard message.body.count <= Self.maximumBytes,
            let result = try? JSONDecoder.fleet.decode(Self.self, from: Data(message.body)),
            result.job == message.identifier
        else { return nil }
        self = result
    }

    /// True for a manifest or a failure of this job, and of its attachment if the job is a shared one.
    func belongs(to job: FleetJob) -> Bool {
        guard version == FleetJob.currentVersion, self.job == job.job,
            identifier == job.identifier, (manifest == nil) != (failure == nil)
        else { return false }
        guard let manifest, let digest = job.sharedDigest else { return true }
        return manifest.source.sha256 == digest
    }

    /// The result for another job with an equal attachment and equal settings.
    func readdressed(to other: FleetJob) -> FleetResult? {
        guard let manifest, let urls else { return nil }
        return FleetResult(
            other, manifest: manifest.readdressed(to: other.identifier, category: other.category),
            urls: urls, worker: worker)
    }

    /// The key of a job's result in the store.
    package static func key(_ job: String) -> String { "results/\(job.prefix(2))/\(job).json" }
}

extension FleetResult.Failure: Codable {
    private enum CodingKeys: CodingKey { case lifetime }

    /// The fault's fields and the lifetime are members of one object.
    package init(from decoder: any Decoder) throws {
        fault = try Fault(from: decoder)
        lifetime = try decoder.container(keyedBy: CodingKeys.self).decode(
            Int.self, forKey: .lifetime)
    }

    package func encode(to encoder: any Encoder) throws {
        try fault.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(lifetime, forKey: .lifetime)
    }
}

extension FleetResult.Failure {
    package static let late = Self(
        AttachmentError(
            .late, file: "", reason: "its deadline passed before it was begun",
            remedy: "allow more time, or start more workers"
        ).fault,
        lifetime: .attempt)
    package static let consumerLost = Self(
        Fault(
            .fleet, "consumer-lost", reason: "all workers that began it were lost",
            remedy: "look at it with thimble-server dead show, and at the workers' logs"),
        lifetime: .poison)
    package static let unknownSource = Self(
        Fault(
            .fleet, "missing-source", reason: "the store has no object under the source's key",
            remedy: "upload the attachment before the job is submitted"),
        lifetime: .attempt)

    init(_ error: AttachmentError) {
        self.init(error.fault, lifetime: error.code.lifetime)
    }

    init(_ error: FetchError) {
        self.init(error.fault, lifetime: error.code.lifetime)
    }

    init(_ error: SettingsError) {
        self.init(error.fault, lifetime: .attempt)
    }

    /// A path outside the worker's folders, or without a file.
    init(_ reason: DeliveryReason) {
        self.init(reason.fault, lifetime: .attempt)
    }

    /// Workers that cannot be started.
    init(_ error: any Error) {
        let fault =
            (error as? any FaultConvertible)?.fault
            ?? Fault(
                .workers, "no-worker", reason: "no worker process can be started",
                remedy: "see the log of the worker")
        self.init(fault, lifetime: .attempt)
    }

    /// The lifetime, in seconds.
    ///
    /// A URL or a path may have other bytes at any time, so its lifetime is at most a server
    /// failure's.
    fileprivate func lifetime(at source: FleetJob.Source) -> Int {
        if case .object = source { lifetime } else { min(lifetime, FailureLifetime.server.seconds) }
    }
}
