/// A scarce resource that a ``WaitingLine`` hands out: places, bytes, entries of a queue.
public protocol WaitingResource: Sendable {
    /// A demand on the resource.
    associatedtype Request: Sendable
    /// What a granted request gets; nothing by default.
    associatedtype Grant: Sendable = Void
    /// The reason to turn a request away; by default none is.
    associatedtype Refusal: Error = Never
    /// Requests of different lanes do not wait for each other; by default all are in one lane.
    associatedtype Lane: Hashable, Sendable = SingleLane

    /// The lane in which a request waits.
    func lane(of request: Request) -> Lane

    /// Hands out what a request asks for, if it is available now.
    mutating func answer(_ request: Request) -> WaitingAnswer<Grant, Refusal>

    /// Counts a request that begins to wait; a refusal instead if the line is full. The default does
    /// nothing.
    mutating func join(_ request: Request) -> Refusal?

    /// Uncounts a request that no longer waits, for whatever reason. The default does nothing.
    mutating func leave(_ request: Request)
}

/// The answer of a ``WaitingResource`` to a request.
public enum WaitingAnswer<Grant: Sendable, Refusal: Error>: Sendable {
    /// The request got its part of the resource.
    case granted(Grant)
    /// The request is turned away.
    case refused(Refusal)
    /// The request waits, and with it the later ones of its lane.
    case laneWaits
    /// All requests wait: none can be granted before the resource changes.
    case allWait
}

/// The end of a request that got nothing.
public enum WaitingFailure<Refusal: Error>: Error {
    /// The resource turned it away.
    case refused(Refusal)
    /// Its deadline passed.
    case late
    /// Its task was cancelled.
    case cancelled
}

extension WaitingFailure: Equatable where Refusal: Equatable {}

/// The lane of a resource that serves requests in order of arrival.
public enum SingleLane: Hashable, Sendable {
    /// The lane of all requests.
    case only
}

extension WaitingResource where Lane == SingleLane {
    /// The one lane.
    public func lane(of request: Request) -> SingleLane { .only }
}

extension WaitingResource {
    /// Lets any number of requests wait.
    public mutating func join(_ request: Request) -> Refusal? { nil }
    /// Does nothing.
    public mutating func leave(_ request: Request) {}
}

/// A number of equal places.
public struct Places: WaitingResource {
    /// A request is for one place.
    public typealias Request = Void

    /// Number of places that nobody has.
    public var free: Int

    /// Creates a number of free places.
    public init(_ count: Int) { free = count }

    /// Hands out a place.
    public mutating func answer(_ request: Void) -> WaitingAnswer<Void, Never> {
        guard free > 0 else { return .allWait }
        free -= 1
        return .granted(())
    }
}

extension WaitingLine where Resource == Places {
    /// Creates a line for a number of places.
    public convenience init(places: Int) { self.init(Places(places)) }

    /// Waits for a place.
    ///
    /// - Parameter deadline: The latest time of the grant. The default is nil: none.
    /// - Throws: `late` at the deadline, or `cancelled`.
    public func take(
        until deadline: ContinuousClock.Instant? = nil
    ) async throws(Failure) { try await take((), until: deadline) }

    /// Gives a place back, which the next request gets.
    public func giveBack() { update { $0.free += 1 } }
}
