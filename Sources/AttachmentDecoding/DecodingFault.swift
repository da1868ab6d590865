/// Why a decoder stopped.
///
/// It names no file: who opened the file knows it.
package struct DecodingFault: Error, Hashable {
    /// The kind of fault.
    package enum Code: String, Sendable {
        /// The bytes break the rules of their format.
        case corrupt
        /// The bytes end before the picture does.
        case truncated
        /// The bytes are legal and use what the decoder does not know.
        case unsupported
        /// The bytes ask for more than the decoder's ceilings, which the planner counts with.
        case overCeiling
        /// The file cannot be read.
        case unreadable
        /// The scratch file cannot be made or has no room.
        case scratch
        /// The work was withdrawn.
        case cancelled
    }

    /// The kind of fault.
    package let code: Code
    /// Where in the file it shows, in bytes from the start.
    package let offset: Int
    /// What is wrong, in words that finish "the picture cannot be decoded: ".
    package let reason: String

    /// Makes a fault.
    ///
    /// - Parameters:
    ///   - code: The kind of fault.
    ///   - offset: Where in the file it shows, in bytes from the start.
    ///   - reason: What is wrong.
    package init(_ code: Code, at offset: Int, _ reason: String) {
        self.code = code
        self.offset = offset
        self.reason = reason
    }
}

extension DecodingFault: CustomStringConvertible {
    /// The fault in one line, for logs.
    package var description: String { "\(reason) (at byte \(offset))" }
}
