internal import Foundation

extension Error {
    /// The system's words for an error of the file system.
    var systemReason: String {
        // The constant of this key would link the whole Foundation.
        let cause = (self as? CocoaError)?.userInfo["NSUnderlyingError"] as? POSIXError
        return cause.map { String(cString: strerror($0.code.rawValue)) } ?? "\(self)"
    }
}
