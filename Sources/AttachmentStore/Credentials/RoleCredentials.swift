import AttachmentContainer
import Foundation

/// Credentials of a role, renewed before they end.
final class RoleCredentials: Sendable {
    /// Credentials with their end.
    struct Lease: Sendable {
        let credentials: S3Credentials
        let received = Date()
        let end: Date

        /// When they are renewed: a request takes minutes at most, and short ones, of a quarter of an
        /// hour at least with AWS, are used for three quarters of their time.
        var renewal: Date {
            end - min(RoleCredentials.reserve, end.timeIntervalSince(received) / 4)
        }
    }

    /// Time before the end when AWS has new ones ready, in seconds.
    private static let reserve = 300.0
    /// Time between two attempts while the former credentials are still valid, in seconds.
    private static let pause = 10.0

    private struct State {
        var lease: Lease?
        var renewal: Task<Result<Lease, StoreError>, Never>?
        var failed = Date.distantPast
    }

    private let exchange: @Sendable () async -> Result<Lease, StoreError>
    private let state = Lock(State())

    init(_ exchange: @escaping @Sendable () async -> Result<Lease, StoreError>) {
        self.exchange = exchange
    }

    /// The credentials; those of before while a renewal fails and they are valid.
    func current() async throws(StoreError) -> S3Credentials {
        let now = Date()
        let (lease, failed) = state.withLock { ($0.lease, $0.failed) }
        if let lease, now < lease.end,
            now < lease.renewal || now.timeIntervalSince(failed) < Self.pause
        {
            return lease.credentials
        }
        do throws(StoreError) {
            return try await renewed().credentials
        } catch {
            guard let lease, Date() < lease.end else { throw error }
            return lease.credentials
        }
    }

    /// Other credentials than those that a server refused; nil if the service has no others.
    func replacement(for refused: S3Credentials) async -> S3Credentials? {
        let known = state.withLock { $0.lease?.credentials }
        if let known, known != refused { return known }
        let found = try? await renewed().credentials
        return found == refused ? nil : found
    }

    /// New credentials; all who need them at once wait for one exchange.
    private func renewed() async throws(StoreError) -> Lease {
        let task = state.withLock { state in
            if let renewal = state.renewal { return renewal }
            // It takes the lock only after this one is given back.
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
        state.withLock { state in
            state.renewal = nil
            switch result {
            case .success(let lease): state.lease = lease
            case .failure: state.failed = Date()
            }
        }
    }
}
