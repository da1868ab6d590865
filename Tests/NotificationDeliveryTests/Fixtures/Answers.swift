import AttachmentContainer
import NotificationDelivery

/// The answers passed to a completion, with their times.
final class Answers: Sendable {
    private let given = Lock<[(answer: DeliveryAnswer, at: ContinuousClock.Instant)]>([])

    var count: Int { given.withLock(\.count) }
    var first: DeliveryAnswer? { given.withLock { $0.first?.answer } }
    var firstMoment: ContinuousClock.Instant? { given.withLock { $0.first?.at } }

    @Sendable func take(_ answer: DeliveryAnswer) {
        given.withLock { $0.append((answer, .now)) }
    }
}

extension DeliveryAnswer {
    /// The reasons' codes, in order.
    var codes: [String] { reasons.map(\.code.rawValue) }
}
