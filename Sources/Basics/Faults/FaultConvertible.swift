public import Foundation

/// An error of the product, which crosses borders as a ``Fault``.
public protocol FaultConvertible: LocalizedError, CustomStringConvertible {
    /// The error without its subject, such as the file or the host.
    var fault: Fault { get }
}

extension FaultConvertible {
    /// Subject, reason and remedy, in one line.
    public var errorDescription: String? { description }

    /// The finding.
    public var failureReason: String? { fault.reason }

    /// The action to take.
    public var recoverySuggestion: String? { fault.remedy }

    /// Nil: the documentation has no anchors.
    public var helpAnchor: String? { nil }
}

/// A kind of failure with its default remedy.
package protocol FaultCode: RawRepresentable<String>, CaseIterable, Sendable {
    static var domain: Fault.Domain { get }
    var remedy: String { get }
    /// Names of the options that the remedy is about.
    var options: [String] { get }
}

extension FaultCode {
    package var options: [String] { [] }

    /// The fault of this kind; without a remedy of its own, it gets the kind's remedy.
    package func fault(
        reason: String, remedy: String? = nil, options: [String]? = nil, cause: Fault? = nil
    ) -> Fault {
        Fault(
            Self.domain, rawValue, reason: reason, remedy: remedy ?? self.remedy,
            // The options are about the kind's own remedy.
            options: options ?? (remedy == nil ? self.options : []), cause: cause)
    }
}
