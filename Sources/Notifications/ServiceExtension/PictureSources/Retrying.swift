package import Foundation
import NotificationDelivery

/// A failed transfer.
package struct TransferFailure: Error {
    package let failure: SourceFailure
    /// True if a later request may succeed.
    package var isNotReady = false
    /// The server's time until the next request.
    package var retryAfter: Duration?

    package init(_ failure: SourceFailure) { self.failure = failure }

    /// The failure of a status that is not 2xx.
    package init(status: Int, retryAfter: String?, mayBeReadyLater: Bool, now: Date = Date()) {
        failure = .download(
            DownloadError(.refused, reason: "the server answered with status \(status)"))
        // Not Found, Conflict, Too Early and Service Unavailable (RFC 9110, 15.5 and 15.6; RFC 8470).
        isNotReady = mayBeReadyLater && [404, 409, 425, 503].contains(status)
        self.retryAfter = retryAfter.flatMap { Self.time($0, now: now) }
    }

    /// Seconds or a date (RFC 9110, 10.2.3).
    private static func time(_ text: String, now: Date) -> Duration? {
        if let seconds = Int(text.trimmingCharacters(in: .whitespaces)), seconds >= 0 {
            return .seconds(min(seconds, 86_400))
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = format.date(from: text) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)))
    }
}

/// Asks again while a picture is not ready, as long as there is time.
package struct Retrying<Time: Clock> where Time.Duration == Duration {
    private static var firstPause: Duration { .milliseconds(500) }
    private static var longestPause: Duration { .seconds(4) }

    private let clock: Time
    private let last: Time.Instant

    /// Leaves a quarter of the time, at most four seconds, for transferring and decoding the picture.
    package init(until deadline: Time.Instant, on clock: Time) {
        self.clock = clock
        let reserve = min(.seconds(4), max(.zero, clock.now.duration(to: deadline)) / 4)
        last = deadline.advanced(by: .zero - reserve)
    }

    package func run<Value: Sendable>(
        _ attempt: () async throws(TransferFailure) -> Value
    ) async throws(SourceFailure) -> Value {
        var pause = Self.firstPause
        while true {
            do throws(TransferFailure) {
                return try await attempt()
            } catch {
                guard error.isNotReady else { throw error.failure }
                let next = clock.now.advanced(
                    by: max(error.retryAfter ?? pause, .milliseconds(100)))
                guard next <= last else { throw .notReady(error.failure) }
                do {
                    try await clock.sleep(until: next, tolerance: nil)
                } catch {
                    throw SourceFailure.download(.cancelled)
                }
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }
}

extension Retrying<ContinuousClock> {
    init(until deadline: ContinuousClock.Instant) {
        self.init(until: deadline, on: ContinuousClock())
    }
}

extension SourceFailure {
    fileprivate static func notReady(_ last: SourceFailure) -> SourceFailure {
        .download(
            DownloadError(
                .notReady, reason: "the picture was not ready in time: \(last.reason.message)"))
    }
}
