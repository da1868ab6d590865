import Hummingbird
import HTTPTypes
import NIOHTTP1

/// The time by which a request is answered.
struct RequestDeadline: Sendable {
    let standard: Double
    let maximum: Double

    /// The deadline of `Thimble-Deadline`, in seconds, at most the ceiling; else the default.
    func instant(of request: Request) throws(Problem) -> ContinuousClock.Instant {
        .now + .seconds(try seconds(of: request))
    }

    /// The deadline in seconds, for requests of several payloads.
    func seconds(of request: Request) throws(Problem) -> Double {
        guard let text = request.headers[.deadline] else { return standard }
        guard let seconds = seconds(text) else {
            throw .invalid("Thimble-Deadline", "a decimal number of seconds above 0")
        }
        return seconds
    }

    /// The time of a request in seconds, from its head; the default for an invalid one, which is refused
    /// later.
    func seconds(of head: HTTPRequestHead) -> Double {
        head.headers.first(name: HTTPField.Name.deadline.canonicalName).flatMap(seconds) ?? standard
    }

    private func seconds(_ text: String) -> Double? {
        // As in /openapi.json: Double also reads hexadecimal, infinity and NaN.
        guard text.wholeMatch(of: /[0-9]{1,9}(\.[0-9]{1,9})?/) != nil,
            let seconds = Double(text), seconds > 0
        else { return nil }
        return min(seconds, maximum)
    }
}
