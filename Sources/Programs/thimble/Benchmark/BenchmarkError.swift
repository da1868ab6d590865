internal import Foundation

/// Reasons for a benchmark that cannot continue: cause and remedy on one line.
struct BenchmarkError: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String
    var isInterruption: Bool { self == .interrupted }

    static let interrupted = BenchmarkError("interrupted; run it again to continue")

    init(_ description: String) { self.description = description }

    /// The system's words for an error of the file system.
    static func cause(of error: any Error) -> String {
        let cause = (error as? CocoaError)?.userInfo["NSUnderlyingError"] as? POSIXError
        return cause.map { String(cString: strerror($0.code.rawValue)) } ?? "\(error)"
    }
}
