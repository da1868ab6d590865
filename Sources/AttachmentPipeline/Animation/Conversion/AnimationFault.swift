package import AttachmentFormats

/// Reasons for a failed animation conversion.
///
/// Names no file; the caller that opened the file knows it.
package struct AnimationFault: Error, Hashable, Sendable {
    /// Fault code, stable across releases.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// The frames cannot be decoded; see `decoding`.
        package static let undecodable = Code(rawValue: "undecodable")
        /// The file has only one frame that can be drawn.
        package static let notAnimated = Code(rawValue: "not-animated")
        package static let tooManyFrames = Code(rawValue: "too-many-frames")
        /// The playing time exceeds the limit.
        package static let tooLong = Code(rawValue: "too-long")
        /// The canvas exceeds the limit on pixels.
        package static let tooLarge = Code(rawValue: "too-large")
        /// No moving rung of the ladder fits both budgets.
        package static let doesNotFit = Code(rawValue: "does-not-fit")
        package static let unwritable = Code(rawValue: "unwritable")
        package static let cancelled = Code(rawValue: "cancelled")
    }

    package let code: Code
    /// The finding, as a sentence without its full stop.
    package let reason: String
    /// The decoder's fault, if a decoder failed.
    package let decoding: DecodingFault?

    package init(_ code: Code, _ reason: String) {
        (self.code, self.reason, decoding) = (code, reason, nil)
    }

    /// Wraps a decoder's fault.
    package init(_ fault: DecodingFault) {
        code = fault.code == .cancelled ? .cancelled : .undecodable
        (reason, decoding) = (fault.reason, fault)
    }

    /// Advice for the caller, as a sentence without its full stop.
    package var remedy: String {
        switch code {
        case .undecodable: "export the animation again from its source"
        case .notAnimated: "treat it as a still picture"
        case .tooManyFrames: "use fewer frames, or raise the limit on frames"
        case .tooLong: "use a shorter animation, or raise the limit on its duration"
        case .tooLarge: "use a smaller canvas, or raise the limit on its pixels"
        case .doesNotFit: "raise the budgets, or show the still of its most telling frame"
        case .unwritable: "check the free space on the disk of the container"
        default: "allow more time"
        }
    }
}

extension AnimationFault: CustomStringConvertible {
    /// One line for logs.
    package var description: String { "\(code.rawValue): \(reason); \(remedy)" }
}
