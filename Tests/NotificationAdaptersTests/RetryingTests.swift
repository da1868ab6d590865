import AttachmentContainer
import Foundation
import NotificationAdapters
import Testing

@Suite("Waiting for a picture that is not ready", .timeLimit(.minutes(1)))
struct RetryingTests {
    private let clock = FakeClock()

    private static func notReady(_ retryAfter: String? = nil, status: Int = 404) -> TransferFailure
    {
        TransferFailure(status: status, retryAfter: retryAfter, mayBeReadyLater: true)
    }

    private func retrying(within time: Duration) -> Retrying<FakeClock> {
        Retrying(until: clock.now.advanced(by: time), on: clock)
    }

    /// The code of the failure, and the number of requests.
    private func outcome(
        within time: Duration = .seconds(24),
        _ attempt: (Int) throws(TransferFailure) -> Void
    ) async -> (code: DownloadError.Code?, attempts: Int) {
        var attempts = 0
        do throws(SourceFailure) {
            try await retrying(within: time).run { () throws(TransferFailure) in
                attempts += 1
                try attempt(attempts)
            }
            return (nil, attempts)
        } catch {
            guard case .download(let failure) = error else { return (nil, attempts) }
            return (failure.code, attempts)
        }
    }

    @Test("Pauses double up to four seconds, and the last request leaves time for the picture")
    func pauses() async {
        let (code, attempts) = await outcome { _ throws(TransferFailure) in throw Self.notReady() }
        #expect(code == .notReady)
        // The next one would be at 23.5 seconds, and four of the 24 are left for the picture.
        #expect(
            clock.pauses == [.milliseconds(500), .seconds(1), .seconds(2)]
                + Array(repeating: .seconds(4), count: 4))
        #expect(attempts == 8)
    }

    @Test("A picture that becomes ready is returned")
    func ready() async {
        let (code, attempts) = await outcome { attempt throws(TransferFailure) in
            if attempt < 4 { throw Self.notReady() }
        }
        #expect(code == nil && attempts == 4)
    }

    @Test("Retry-After is the pause, in seconds or as a date")
    func retryAfter() async {
        let (code, _) = await outcome { attempt throws(TransferFailure) in
            if attempt == 1 { throw Self.notReady("7", status: 503) }
        }
        #expect(code == nil && clock.pauses == [.seconds(7)])
        let now = Date(timeIntervalSince1970: 784_111_777)
        let times: [(String, Duration?)] = [
            ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", .zero), (" 3 ", .seconds(3)), ("soon", nil),
            ("-1", nil), ("99999999999", .seconds(86_400)),
        ]
        for (text, expected) in times {
            let failure = TransferFailure(
                status: 425, retryAfter: text, mayBeReadyLater: true, now: now)
            #expect(failure.retryAfter == expected, "\(text)")
        }
    }

    @Test("A pause beyond the time left ends the waiting at once")
    func tooLong() async {
        let (code, attempts) = await outcome { _ throws(TransferFailure) in
            throw Self.notReady("21")
        }
        #expect(code == .notReady && attempts == 1 && clock.pauses == [])
    }

    @Test("Only the statuses of a picture that is not ready are asked again")
    func statuses() async {
        for status in [400, 401, 403, 404, 409, 410, 425, 429, 500, 502, 503] {
            let failure = Self.notReady(status: status)
            #expect(failure.isNotReady == [404, 409, 425, 503].contains(status), "\(status)")
            let impatient = TransferFailure(
                status: status, retryAfter: nil, mayBeReadyLater: false)
            #expect(!impatient.isNotReady)
        }
        let (code, attempts) = await outcome { _ throws(TransferFailure) in
            throw Self.notReady(status: 403)
        }
        #expect(code == .refused && attempts == 1)
    }
}
