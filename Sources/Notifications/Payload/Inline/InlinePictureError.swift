public import ThimbleBasics

/// A rejected inline picture.
///
/// It quotes no part of the picture, because pictures of notifications are private.
public struct InlinePictureError: FaultConvertible, Sendable, Hashable, Codable {
    /// The kind of failure, stable across releases.
    public let code: Code
    /// The finding, without a full stop.
    public let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The kinds of failure.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The text is not base64url without padding.
        case notBase64URL = "not-base64url"
        /// A version that this release does not know.
        case version = "inline-version"
        /// The picture is longer than any payload.
        case tooLong = "inline-too-long"
        /// The picture ends too early.
        case truncated = "inline-truncated"
        /// The coding has bits that version 1 does not define.
        case coding = "inline-coding"
        /// The frame's own size differs from the header's, or is over the format's.
        case size = "inline-size"
        /// The bytes are no AV1 still.
        case notAV1 = "inline-not-av1"
    }

    /// The failure, for logs and reports.
    public var fault: Fault { code.fault(reason: reason) }

    /// Reason and remedy, in one line.
    public var description: String { "\(reason); \(code.remedy)" }
}

extension InlinePictureError.Code: FaultCode {
    package static let domain = Fault.Domain.payload

    /// The action to take, without a full stop.
    public var remedy: String {
        switch self {
        case .notBase64URL: "write the picture in base64url (RFC 4648, section 5) without padding"
        case .version: "update the app, or send version 1"
        case .tooLong: "send a picture of fewer bytes"
        case .truncated: "send the whole picture"
        case .coding: "write 0 in the bits that version 1 does not define"
        case .size: "encode the picture at its own size, of at most 256 pixels a side"
        case .notAV1:
            "encode an AV1 still of 8 bits with a reduced header, one tile group and full range"
        }
    }
}
