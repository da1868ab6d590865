import AttachmentContainer
import AttachmentModel
import Foundation
import Synchronization

/// The answers for pictures that were processed recently, and the pictures in progress.
///
/// It serves requests whose manifest is that of the picture (`ManifestNaming.picture`). The number of
/// answers is bounded; that of pictures in progress is bounded by the deliveries in progress.
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
        var flights: [Key: Flight] = [:]
    }

    /// Time for which a failure is remembered.
    private static let failureLifetime = Duration.seconds(2)
    /// Time between two checks of a picture's files, which also mark them as used.
    ///
    /// Pruning keeps files used within its grace period, of at least the same length.
    private static let checkInterval = Duration.seconds(1)

    private let container: SharedContainer
    private let state: Mutex<State>

    init(of container: SharedContainer, capacity: Int) {
        self.container = container
        state = Mutex(State(answers: RecentValues(capacity: capacity)))
    }

    /// The answer for a request; nil if its picture is unknown.
    func answer(to request: DeliveryRequest) -> Draft? {
        request.memoryKey.flatMap { answer(to: request, $0) }
    }

    /// True if another delivery is processing the picture.
    func isInProgress(_ request: DeliveryRequest) -> Bool {
        request.memoryKey.map { key in state.withLock { $0.flights[key] != nil } } ?? false
    }

    /// The role of a delivery; nil if nothing can be remembered of its picture.
    func join(_ request: DeliveryRequest) -> Role? {
        guard let key = request.memoryKey else { return nil }
        if let draft = answer(to: request, key) { return .known(draft) }
        return state.withLock { state in
            if let flight = state.flights[key] { return .waits(flight) }
            let flight = Flight()
            state.flights[key] = flight
            return .leads(flight)
        }
    }

    /// Ends a flight, and remembers its answer under the identity that the file had before it was
    /// read; nil for none.
    func end(
        _ flight: Flight, of request: DeliveryRequest, _ draft: Draft, _ identity: PictureIdentity?
    ) {
        guard let key = request.memoryKey else { return }
        state.withLock { state in
            state.flights[key] = nil
            if let identity, !draft.isOverdue {
                state.answers[key] = Answer(draft: draft, identity: identity, checked: .now)
            }
        }
        flight.end(draft)
    }

    private func answer(to request: DeliveryRequest, _ key: Key) -> Draft? {
        guard let answer = state.withLock({ $0.answers[key] }) else { return nil }
        let identity: PictureIdentity? =
            switch key {
            case .path(let path): PictureIdentity(ofFileAt: path)
            case .identity(let identity): identity
            }
        guard identity == answer.identity, isValid(answer, key) else {
            state.withLock { state in
                // Another answer may have replaced it meanwhile.
                if state.answers[key]?.checked == answer.checked { state.answers[key] = nil }
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
    fileprivate var memoryKey: PictureMemory.Key? {
        guard naming == .picture else { return nil }
        if let identity { return .identity(identity) }
        guard case .file(let url) = attachment else { return nil }
        return .path(url.path)
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
