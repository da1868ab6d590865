import AttachmentModel

/// Error of a decoder; the caller that opened the file adds its name.
package struct DecodingFault: Error, Hashable {
    package enum Code: String, Sendable {
        /// The bytes violate their format.
        case corrupt
        /// The file ends before the picture does.
        case truncated
        /// The bytes are valid but use an unsupported feature.
        case unsupported
        /// The bytes exceed a limit of the decoder that no memory raises.
        case limit
        /// The bytes need more than the decoder's ceilings, which the planner counts on.
        case overCeiling
        /// Reading the file failed.
        case unreadable
        /// The scratch file cannot be created or has no room.
        case scratch
        /// The scratch files would exceed their limit.
        case scratchLimit
        case cancelled
    }

    package let code: Code
    /// Position in the file, in bytes from the start.
    package let offset: Int
    /// Cause, phrased to follow "the picture cannot be decoded: ".
    package let reason: String

    package init(_ code: Code, at offset: Int, _ reason: String) {
        (self.code, self.offset, self.reason) = (code, offset, reason)
    }
}

extension DecodingFault {
    /// Fault of a decoder that this build lacks; planners know of it and choose none such.
    static func notBuilt(_ library: DecoderLibrary) -> DecodingFault {
        DecodingFault(.unsupported, at: 0, "this build has no \(library.rawValue)")
    }
}

extension DecodingFault: CustomStringConvertible {
    package var description: String { "\(reason) (at byte \(offset))" }
}

extension DecodingFault {
    /// True if memory or scratch files do not suffice, which a step that only saves time can go without.
    package var isLackOfRoom: Bool { [.overCeiling, .scratch, .scratchLimit].contains(code) }
}
