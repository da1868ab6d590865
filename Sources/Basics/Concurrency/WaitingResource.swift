/// A scarce resource that a ``WaitingLine`` hands out: places, bytes, entries of a queue.
package protocol WaitingResource: Sendable {
    associatedtype Request: Sendable
    associatedtype Grant: Sendable = Void
    associatedtype Refusal: Error = Never
    /// Requests of different lanes do not wait for each other.
    associatedtype Lane: Hashable, Sendable = SingleLane

    /// The lane in which a request waits.
    func lane(of request: Request) -> Lane

    /// Hands out what a request asks for, if it is free now.
    mutating func answer(_ request: Request) -> WaitingAnswer<Grant, Refusal>

    /// Counts a request that begins to wait; a refusal instead if the line is full.
    mutating func join(_ request: Request) -> Refusal?

    /// Uncounts a request that ends to wait, for whatever reason.
    mutating func leave(_ request: Request)
}

package enum WaitingAnswer<Grant: Sendable, Refusal: Error>: Sendable {
    case granted(Grant)
    case refused(Refusal)
    /// The request waits, and with it the later ones of its lane.
    case laneWaits
    /// All requests wait: none can be granted before the resource changes.
    case allWait
}

/// The end of a request that got nothing.
package enum WaitingFailure<Refusal: Error>: Error {
    case refused(Refusal)
    case late
    case cancelled
}

extension WaitingFailure: Equatable where Refusal: Equatable {}

/// The lane of a resource that serves requests in order of arrival.
package enum SingleLane: Hashable, Sendable { case only }

extension WaitingResource where Lane == SingleLane {
    package func lane(of request: Request) -> SingleLane { .only }
}

extension WaitingResource {
    package mutating func join(_ request: Request) -> Refusal? { nil }
    package mutating func leave(_ request: Request) {}
}

/// A number of equal places.
package struct Places: WaitingResource {
    package typealias Request = Void

    package var free: Int

    package init(_ count: Int) { free = count }

    package mutating func answer(_ request: Void) -> WaitingAnswer<Void, Never> {
        guard free > 0 else { return .allWait }
        free -= 1
        return .granted(())
    }
}

extension WaitingLine where Resource == Places {
    package convenience init(places: Int) { self.init(Places(places)) }

    package func take(
        until deadline: ContinuousClock.Instant? = nil
    ) async throws(Failure) { try await take((), until: deadline) }

    package func giveBack() { update { $0.free += 1 } }
}
