import Hummingbird
import Logging

/// State of one request.
struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The client's id of the request, or a new one.
    var requestID = ""
    /// The client's trace; nil without a valid one.
    var traceParent: TraceParent?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }

    /// An id that the client may choose: short, and safe in logs and fields.
    static func isValid(requestID: String) -> Bool {
        1...64 ~= requestID.utf8.count
            && requestID.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                    || (0x61...0x7A).contains($0) || [0x2D, 0x2E, 0x5F].contains($0)
            }
    }

    /// The client's id if it is valid, else a new one.
    static func requestID(given: String?) -> String {
        given.flatMap { isValid(requestID: $0) ? $0 : nil } ?? newRequestID()
    }

    static func newRequestID() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
