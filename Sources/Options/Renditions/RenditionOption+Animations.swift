import AttachmentContainer
import AttachmentModel

/// Options of animations, sounds and movies.
extension RenditionOption {
    package static let animationRenderBudget: Declaration = .bytes(
        "animation-render-budget", \.animationRenderBudget, \.animationRenderBudget,
        ByteCount(4)...ByteCount(1 << 40),
        "Limit on the decoded bytes of an animation: width × height × 4 × frames."
    )
    .explained(
        "A larger one is scaled down, then quantised, then loses frames at the same duration, "
            + "then its end. If nothing fits, a still is made.")
    package static let maxFrames: Declaration = .count(
        "max-frames", \.maxFrames, \.animationLimits.frames, 1...1_000_000_000,
        "Maximum number of frames of an animation; more are refused.")
    package static let maxDuration: Declaration = .number(
        "max-duration", \.maxDuration, \.animationLimits.seconds, 0.001...1_000_000_000,
        unit: "seconds", "Maximum duration of one loop of an animation; longer ones are refused.")
    package static let maxCanvas: Declaration = .number(
        "max-canvas", \.maxCanvas, \.animationLimits.pixels.inMillions, 0.001...1_000_000_000,
        unit: "million", "Maximum number of pixels of an animation's canvas, in millions.")
    package static let maxFramePixels: Declaration = .number(
        "max-frame-pixels", \.maxFramePixels, \.animationLimits.drawnPixels.inMillions,
        0.001...1_000_000_000, unit: "million",
        "Maximum number of pixels of all frames of an animation together, in millions."
    )
    .explained(
        "They determine the decoding time: about eight seconds per thousand million.")
    package static let maxSoundBytes: Declaration = .bytes(
        "max-sound-bytes", \.maxSoundBytes, \.media.sound, ByteCount(0)...ByteCount(1 << 50),
        "Maximum file size of a sound that is passed through.")
    package static let maxMovieBytes: Declaration = .bytes(
        "max-movie-bytes", \.maxMovieBytes, \.media.movie, ByteCount(0)...ByteCount(1 << 50),
        "Maximum file size of a movie that is passed through.")
}

extension Int {
    var inMillions: Double {
        get { Double(self) / 1_000_000 }
        set { self = Int(Swift.min(Swift.max(0, (newValue * 1_000_000).rounded()), 1e15)) }
    }
}

extension Double? {
    var orZero: Double {
        get { self ?? 0 }
        set { self = newValue == 0 ? nil : newValue }
    }
}

extension String? {
    /// Empty for nil.
    var orEmpty: String {
        get { self ?? "" }
        set { self = newValue.isEmpty ? nil : newValue }
    }
}
