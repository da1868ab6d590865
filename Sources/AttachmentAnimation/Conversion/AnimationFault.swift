package import AttachmentDecoding

/// Why an animation could not be made from an animation.
///
/// It names no file: who opened the file knows it.
package struct AnimationFault: Error, Hashable, Sendable {
    /// The kind of fault, stable across releases.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        /// Makes a code.
        ///
        /// - Parameter rawValue: As it appears in reports.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The frames cannot be decoded; `decoding` says why.
        package static let undecodable = Code(rawValue: "undecodable")
        /// The file has one frame only, or only one that can be drawn.
        package static let notAnimated = Code(rawValue: "not-animated")
        /// There are more frames than the limit.
        package static let tooManyFrames = Code(rawValue: "too-many-frames")
        /// It plays longer than the limit.
        package static let tooLong = Code(rawValue: "too-long")
        /// The canvas has more pixels than the limit.
        package static let tooLarge = Code(rawValue: "too-large")
        /// No rung of the ladder moves within both budgets.
        package static let doesNotFit = Code(rawValue: "does-not-fit")
        /// The output cannot be written.
        package static let unwritable = Code(rawValue: "unwritable")
        /// The work was withdrawn.
        package static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of fault.
    package let code: Code
    /// What was found, in a sentence without its full stop.
    package let reason: String
    /// What a decoder said; nil when the finding is not a decoder's.
    package let decoding: DecodingFault?

    /// Makes a fault.
    ///
    /// - Parameters:
    ///   - code: The kind of fault.
    ///   - reason: What was found, in a sentence without its full stop.
    package init(_ code: Code, _ reason: String) {
        (self.code, self.reason, decoding) = (code, reason, nil)
    }

    /// Passes on what a decoder said.
    ///
    /// - Parameter fault: The decoder's fault.
    package init(_ fault: DecodingFault) {
        code = fault.code == .cancelled ? .cancelled : .undecodable
        (reason, decoding) = (fault.reason, fault)
    }

    /// What the caller can do about it, in a sentence without its full stop.
    package var remedy: String {
        switch code {
        case .undecodable: "export the animation again from its source"
        case .notAnimated: "treat it as a still picture"
        case .tooManyFrames: "use fewer frames, or raise the limit on frames"
        case .tooLong: "use a shorter animation, or raise the limit on its duration"
        case .tooLarge: "use a smaller canvas, or raise the limit on its pixels"
        case .doesNotFit: "raise the budgets, or show the still of its most telling frame"
        case .unwritable: "check the room on the disk of the container"
        default: "give more time"
        }
    }
}

extension AnimationFault: CustomStringConvertible {
    /// The fault in one line, for logs.
    package var description: String { "\(code.rawValue): \(reason); \(remedy)" }
}
