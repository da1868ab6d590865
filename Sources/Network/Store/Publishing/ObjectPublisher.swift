public import AttachmentContainer
import AttachmentModel
import Foundation
import Logging

/// Publishes renditions as objects under names that are digests of their bytes.
///
/// A rendition is published when the store has confirmed the whole object, and the container's
/// record of it is durable. One upload serves all callers that name the same rendition at once.
/// Published objects are remembered, and the store is asked again after some minutes.
///
/// A process of its own exchanges the data with the store; no other process gets the credentials.
public final class ObjectPublisher: Sendable {
    /// The destination.
    public let destination: StoreDestination
    /// The settings.
    public let settings: PublishSettings
    private let run: PublishRun
    private let memory = PublicationMemory()
    private let uploads = SharedWork<String, Result<Void, StoreError>>()
    private let logger: Logger

    /// Failures of requests with less time than this tell more about the caller than about the store.
    private static let tellingTime = Duration.seconds(2)
    /// Longest time without requests at a server's wish; it may soon change its mind.
    private static let longestPause = Duration.seconds(60)

    /// Creates a publisher, whose process starts with the first upload.
    ///
    /// - Parameters:
    ///   - destination: The bucket or folder.
    ///   - container: The container that has the renditions and keeps the records.
    ///   - settings: Limits and the URL under which the destination is served. The default is
    ///     `PublishSettings()`.
    ///   - access: Credentials, sandbox and permissions. The default is the environment's.
    /// - Throws: `StoreError` for a setting out of range, missing credentials, or a container that
    ///   cannot be written.
    public init(
        to destination: StoreDestination, in container: SharedContainer,
        settings: PublishSettings = PublishSettings(), access: StoreAccess = StoreAccess()
    ) throws(StoreError) {
        do throws(SettingsError) {
            try settings.validate()
        } catch {
            throw StoreError(
                .invalidDestination, destination: destination.description, reason: "\(error)")
        }
        let store = try access.open(
            destination, folder: container.incomingFolder, requests: settings.maximumRequests)
        let records = ObjectRecords(of: destination.identity, in: container)
        do throws(ContainerError) {
            try records.create(describedBy: destination)
        } catch {
            throw StoreError(error, destination)
        }
        self.destination = destination
        self.settings = settings
        logger = access.logger
        run = PublishRun(
            destination: destination, container: container, records: records, store: store,
            settings: settings, memory: memory)
    }

    /// The URL of a rendition that is known to be published, whose use is recorded; nil if only
    /// ``publish(_:by:)`` can tell.
    ///
    /// Takes some microseconds, and twice a second for a rendition the time to touch a file.
    public func known(_ rendition: Manifest.Rendition) -> String? {
        let now = ContinuousClock.now
        guard let known = memory.known(rendition.file),
            known.verified.duration(to: now) < settings.verificationInterval,
            known.renewed.duration(to: now) < PublishRun.renewalInterval
                || run.renew(rendition.file, known, now)
        else { return nil }
        return url(of: rendition)
    }

    /// Publishes a rendition unless it is published.
    ///
    /// Failures of the connection and of the server are tried again until the deadline. Cancellation
    /// ends the upload unless other callers wait for it.
    ///
    /// - Parameters:
    ///   - rendition: A rendition in the container.
    ///   - deadline: The time by which it has to be published.
    /// - Returns: The URL, which from now on leads to the object.
    /// - Throws: `StoreError` with the reason and a remedy.
    public func publish(
        _ rendition: Manifest.Rendition, by deadline: ContinuousClock.Instant
    ) async throws(StoreError) -> String {
        if let url = known(rendition) { return url }
        if let failure = memory.failure { throw failure }
        let outcome: Result<Void, StoreError>
        do throws(SharedWorkFailure) {
            outcome = try await uploads.value(of: rendition.file, until: deadline) {
                [self] latest in
                // All callers have deadlines.
                await self.outcome(of: StoredObject(rendition), rendition) { latest() ?? deadline }
            }
        } catch {
            throw StoreError(error, destination)
        }
        do throws(StoreError) {
            try outcome.get()
        } catch {
            guard error.destination.isEmpty else { throw error }
            throw StoreError(error.code, destination: destination.description, error.fault)
        }
        return url(of: rendition)
    }

    /// The URL that a rendition has once it is published.
    public func url(of rendition: Manifest.Rendition) -> String {
        destination.url(of: rendition.file, servedUnder: settings.baseURL)
    }

    /// Ends the process; publications in progress and later ones fail.
    public func close() async { await run.store.close() }

    private func outcome(
        of object: StoredObject, _ rendition: Manifest.Rendition,
        _ deadline: @escaping PublishRun.LatestDeadline
    ) async -> Result<Void, StoreError> {
        let begun = ContinuousClock.now
        let result = await run.publish(object, rendition, deadline)
        let time = begun.duration(to: .now)
        var outcome = "published"
        if case .failure(let error) = result {
            outcome = error.code.rawValue
            let isTelling =
                !error.code.isTransient || time >= Self.tellingTime || error.retryAfter != nil
            if error.code.concernsStore, isTelling {
                memory.add(
                    error,
                    for: error.retryAfter.map { min($0, Self.longestPause) }
                        ?? settings.failureLifetime)
            }
        } else {
            memory.forgetFailure()
        }
        logger.debug(
            "publication",
            metadata: [
                "object": "\(object.file)", "outcome": "\(outcome)",
                "milliseconds": "\(Int(time / .milliseconds(1)))",
            ])
        return result
    }
}

extension StoreError.Code {
    /// True if other objects fail in the same way.
    fileprivate var concernsStore: Bool {
        switch self {
        case .storage, .busy, .cancelled: false
        default: true
        }
    }
}

extension StoreError {
    fileprivate init(_ failure: SharedWorkFailure, _ destination: StoreDestination) {
        switch failure {
        case .late:
            self.init(
                .late, destination: destination.description,
                reason: "the object was not published before the deadline")
        case .cancelled:
            self.init(
                .cancelled, destination: destination.description, reason: "it was cancelled")
        }
    }

    init(_ error: ContainerError, _ destination: StoreDestination) {
        let reason =
            error.code == .missingRendition
            ? error.reason : "the container's record cannot be kept: \(error.reason)"
        self.init(
            .storage, destination: destination.description,
            Code.storage.fault(
                reason: reason, remedy: error.fault.remedy, cause: error.fault))
    }
}
