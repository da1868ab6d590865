import AttachmentContainer
import AttachmentModel

/// Recent failures, which are the answer to the same URL for a few seconds.
final class FailureMemory: Sendable {
    /// Number of failures that are remembered.
    private static let maximumCount = 4096

    private struct Failure {
        let error: FetchError
        let end: ContinuousClock.Instant
    }

    /// Time for which a server's failures are remembered; failures of one attempt are not.
    private let lifetime: Duration
    private let failures = Lock<[ContentDigest: Failure]>([:])

    init(lifetime: Duration) { self.lifetime = lifetime }

    func failure(_ key: ContentDigest) -> FetchError? {
        failures.withLock { failures in
            guard let failure = failures[key] else { return nil }
            if failure.end > .now { return failure.error }
            failures[key] = nil
            return nil
        }
    }

    func add(_ error: FetchError, for key: ContentDigest) {
        guard error.code.lifetime != .attempt, lifetime > .zero else { return }
        failures.withLock { failures in
            if failures.count >= Self.maximumCount {
                failures = failures.filter { $0.value.end > .now }
                if failures.count >= Self.maximumCount { failures.removeAll() }
            }
            failures[key] = Failure(error: error, end: .now + lifetime)
        }
    }
}
