import Hummingbird
import HTTPTypes

/// The time by which a request is answered.
struct RequestDeadline: Sendable {
    let standard: Double
    let maximum: Double

    /// The deadline of `Thimble-Deadline`, in seconds, at most the ceiling; else the default.
    func instant(of request: Request) throws(Problem) -> ContinuousClock.Instant {
        .now + .seconds(try seconds(of: request))
    }

    /// The same in seconds, for requests of several payloads.
    func seconds(of request: Request) throws(Problem) -> Double {
        guard let text = request.headers[.deadline] else { return standard }
        // As in /openapi.json: Double also reads hexadecimal, infinity and NaN.
        guard text.wholeMatch(of: /[0-9]{1,9}(\.[0-9]{1,9})?/) != nil,
            let seconds = Double(text), seconds > 0
        else { throw .invalid("Thimble-Deadline", "a decimal number of seconds above 0") }
        return min(seconds, maximum)
    }
}
