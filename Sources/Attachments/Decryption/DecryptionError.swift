public import AttachmentContainer

/// A failure to authenticate or decrypt a picture, with the reason and the remedy.
///
/// No error contains a key, a digest or a part of the picture.
public struct DecryptionError: FaultConvertible, Sendable, Hashable {
    /// The kind of failure, stable across releases.
    public let code: Code
    /// The fault, in a sentence without its full stop.
    public let reason: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: The fault, in a sentence without its full stop.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension DecryptionError {
    /// The kinds of failure.
    ///
    /// The raw values appear in delivery reasons.
    public enum Code: String, Sendable, CaseIterable {
        /// A key, initial vector or digest has the wrong length or encoding.
        case invalidKey = "decryption-invalid-key"
        /// The length or the padding is impossible for the scheme.
        case malformed = "decryption-malformed"
        /// Key, digest or tag are another file's, or the file was changed.
        case notAuthentic = "decryption-not-authentic"
        /// The file is longer than this system authenticates.
        case tooLarge = "decryption-too-large"
        /// The ciphertext cannot be stored or read.
        case storage = "decryption-storage"
        /// The system's library failed.
        case library = "decryption-library"
    }
}

extension DecryptionError.Code: FaultCode {
    package static let domain = Fault.Domain.decryption

    /// A remedy for the caller, in a sentence without its full stop.
    public var remedy: String {
        switch self {
        case .invalidKey: "pass the key as its scheme defines it"
        case .malformed: "check that sender and receiver use the same scheme"
        case .notAuthentic: "send key and digest of this very file, and the whole file"
        case .tooLarge: "send a smaller file, or use another scheme for large files"
        case .storage: "check the container folder's free space and permissions"
        case .library: "update the system"
        }
    }
}

extension DecryptionError {
    /// The failure in the form in which it crosses borders.
    public var fault: Fault { code.fault(reason: reason) }

    /// Reason and remedy, in one line.
    public var description: String { "\(reason); \(code.remedy)" }

    static func isOfWrongLength(_ what: String, _ expected: String) -> DecryptionError {
        DecryptionError(.invalidKey, reason: "\(what) does not have \(expected) bytes")
    }

    static let wrongDigest = DecryptionError(
        .notAuthentic, reason: "the digest is not the file's")
    static let wrongTag = DecryptionError(
        .notAuthentic, reason: "the authentication code is not the file's")
    static let library = DecryptionError(.library, reason: "the system's cipher failed")
}
