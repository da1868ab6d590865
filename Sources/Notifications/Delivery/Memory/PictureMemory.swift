import AttachmentContainer
import AttachmentModel
import Foundation

/// The answers for pictures that were processed recently, and the pictures in progress.
///
/// It serves requests whose manifest is named by the picture (`ManifestNaming.picture`). The number
/// of answers is bounded. The deliveries in progress bound the number of pictures in progress.
final class PictureMemory: Sendable {
    enum Key: Hashable {
        case path(String)
        case identity(PictureIdentity)
    }

    enum Role {
        /// The picture is known.
        case known(Draft)
        /// Another delivery is processing the picture.
        case waits(Flight)
        /// The delivery has to process the picture and to call ``end(_:_:_:)``.
        case leads(Flight)
    }

    /// An answer and the conditions of its use.
    private struct Answer {
        let draft: Draft
        let identity: PictureIdentity
        /// The time of the last check; of a failure, the time when it was remembered.
        var checked: ContinuousClock.Instant
    }

    private struct State {
        var answers: RecentValues<Key, Answer>
        var flights: [Flight.Key: Flight] = [:]
    }

    /// Time for which a failure is remembered.
    private static let failureLifetime = Duration.seconds(2)
    /// Time between two checks of a picture's files, which also mark them as used.
    ///
    /// Pruning keeps files used within its grace period, of at least the same length.
    private static let checkInterval = Duration.seconds(1)

    private let container: SharedContainer
    private let state: Lock<State>

    init(of container: SharedContainer, capacity: Int) {
        self.container = container
        state = Lock(State(answers: RecentValues(capacity: capacity)))
    }

    /// The answer for a request; nil if its picture is unknown.
    func answer(to request: DeliveryRequest) -> Draft? {
        request.flightKey.flatMap { answer(for: $0) }
    }

    /// True if another delivery is processing the picture.
    func isInProgress(_ request: DeliveryRequest) -> Bool {
        request.flightKey.map { key in state.withLock { $0.flights[key] != nil } } ?? false
    }

    /// The role of a delivery; nil if nothing can be remembered of its picture.
    func join(_ request: DeliveryRequest) -> Role? {
        guard let key = request.flightKey else { return nil }
        if let draft = answer(for: key) { return .known(draft) }
        return state.withLock { state in
            if let flight = state.flights[key] { return .waits(flight) }
            let flight = Flight(of: key)
            state.flights[key] = flight
            return .leads(flight)
        }
    }

    /// Ends a flight, and remembers its answer under the identity that the file had when it was
    /// opened; nil for none.
    func end(_ flight: Flight, _ draft: Draft, _ identity: PictureIdentity?) {
        state.withLock { state in
            state.flights[flight.key] = nil
            if let identity, !draft.isOverdue {
                state.answers[flight.key.picture] = Answer(
                    draft: draft, identity: identity, checked: .now)
            }
        }
        flight.end(draft)
    }

    private func answer(for key: Flight.Key) -> Draft? {
        guard let answer = state.withLock({ $0.answers[key.picture] }) else { return nil }
        guard key.identity == answer.identity, isValid(answer, key.picture) else {
            state.withLock { state in
                // Another answer may have replaced it meanwhile.
                if state.answers[key.picture]?.checked == answer.checked {
                    state.answers[key.picture] = nil
                }
            }
            return nil
        }
        return answer.draft
    }

    private func isValid(_ answer: Answer, _ key: Key) -> Bool {
        let now = ContinuousClock.now
        let age = answer.checked.duration(to: now)
        guard let manifest = answer.draft.lastingManifest else {
            return age < Self.failureLifetime
        }
        guard age >= Self.checkInterval else { return true }
        guard (try? container.renewWithRenditions(manifest)) == true else { return false }
        state.withLock { $0.answers[key]?.checked = now }
        return true
    }
}

extension DeliveryRequest {
    /// Nil if the request names no file, or nothing may be remembered of it.
    fileprivate var flightKey: Flight.Key? {
        guard naming == .picture else { return nil }
        if let identity { return Flight.Key(picture: .identity(identity), identity: identity) }
        guard case .file(let url) = attachment else { return nil }
        let path = url.path
        return PictureIdentity(ofFileAt: path).map {
            Flight.Key(picture: .path(path), identity: $0)
        }
    }
}

extension Draft {
    /// True if another delivery, with its own deadline, may get a better answer.
    var isOverdue: Bool {
        reasons.contains { Self.overdueCodes.contains($0.code) }
    }

    /// The manifest, if the same request would lead to the same renditions again.
    fileprivate var lastingManifest: Manifest? {
        reasons.allSatisfy { Self.lastingCodes.contains($0.code) } ? outcome.manifest : nil
    }

    private static let overdueCodes: Set<DeliveryReason.Code> = [
        .deadline, .expired, .cancelled, .init(.late), .init(.cancelled),
    ]
    private static let lastingCodes: Set<DeliveryReason.Code> = [
        .lowerRung, .passedThrough, .overTypeLimit,
    ]
}
