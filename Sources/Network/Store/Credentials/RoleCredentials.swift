import AttachmentContainer
import Foundation

/// Credentials of a role, renewed before they end.
///
/// Credentials end by the date that the service gave, and by the time that has passed since: the
/// clock may be set while they are held.
final class RoleCredentials: Sendable {
    /// Credentials with their end.
    struct Lease: Sendable {
        let credentials: S3Credentials
        let end: Date
        /// Time until the end when the credentials were received, in seconds.
        private let lifetime: Double
        private let received: ContinuousClock.Instant

        init(
            credentials: S3Credentials, end: Date, now: Date = Date(),
            at instant: ContinuousClock.Instant = .now
        ) {
            self.credentials = credentials
            self.end = end
            lifetime = end.timeIntervalSince(now)
            received = instant
        }

        /// Time from the renewal to the end: a request takes minutes at most, and short credentials, of a
        /// quarter of an hour at least with AWS, are used for three quarters of their time.
        private var reserve: Double { min(RoleCredentials.reserve, lifetime / 4) }

        /// True until their time has passed; the server refuses them if the clock was wrong before.
        func isUsable(at instant: ContinuousClock.Instant) -> Bool {
            received.duration(to: instant) / .seconds(1) < lifetime
        }

        /// True once either clock asks for a renewal.
        func isDue(at now: Date, _ instant: ContinuousClock.Instant) -> Bool {
            now >= end - reserve
                || received.duration(to: instant) / .seconds(1) >= lifetime - reserve
        }
    }

    /// Time before the end when AWS has new ones ready, in seconds.
    private static let reserve = 300.0
    /// Time between two attempts while the former credentials are still valid.
    private static let pause = Duration.seconds(10)

    private struct State {
        var lease: Lease?
        var renewal: Task<Result<Lease, StoreError>, Never>?
        var failed: ContinuousClock.Instant?
    }

    private let exchange: @Sendable () async -> Result<Lease, StoreError>
    private let clock: @Sendable () -> (date: Date, instant: ContinuousClock.Instant)
    private let state = Lock(State())

    init(
        clock: @escaping @Sendable () -> (date: Date, instant: ContinuousClock.Instant) = {
            (Date(), .now)
        },
        _ exchange: @escaping @Sendable () async -> Result<Lease, StoreError>
    ) {
        self.clock = clock
        self.exchange = exchange
    }

    /// The credentials; while a renewal fails, the former ones until their end.
    func current() async throws(StoreError) -> S3Credentials {
        let (now, instant) = clock()
        let (lease, failed) = state.withLock { ($0.lease, $0.failed) }
        if let lease, lease.isUsable(at: instant) {
            let hasJustFailed = failed.map { $0.duration(to: instant) < Self.pause } ?? false
            if hasJustFailed || !lease.isDue(at: now, instant) { return lease.credentials }
        }
        do throws(StoreError) {
            return try await renewed().credentials
        } catch {
            guard let lease, lease.isUsable(at: clock().instant) else { throw error }
            return lease.credentials
        }
    }

    /// Credentials in place of the refused ones; nil if the service has no others.
    func replacement(for refused: S3Credentials) async -> S3Credentials? {
        let known = state.withLock { $0.lease?.credentials }
        if let known, known != refused { return known }
        let found = try? await renewed().credentials
        return found == refused ? nil : found
    }

    /// New credentials; concurrent callers wait for one exchange.
    private func renewed() async throws(StoreError) -> Lease {
        let task = state.withLock { state in
            if let renewal = state.renewal { return renewal }
            // The task waits for the lock that is held here.
            let renewal = Task {
                let result = await exchange()
                finish(result)
                return result
            }
            state.renewal = renewal
            return renewal
        }
        return try await task.value.get()
    }

    private func finish(_ result: Result<Lease, StoreError>) {
        let instant = clock().instant
        state.withLock { state in
            state.renewal = nil
            switch result {
            case .success(let lease): state.lease = lease
            case .failure: state.failed = instant
            }
        }
    }
}
