internal import AttachmentFormats
internal import Foundation

/// Encodes pairs of frames from across an animation, and predicts the encoded size of rungs.
struct SizeSample {
    /// Limit on the pairs; more improve the prediction less than they cost.
    private static let pairs = 8

    /// Exponent of the area in the encoded size; a reduced frame has more detail per pixel.
    ///
    /// Measured at 0.6 of the sides: 0.74 to 0.90 for camera and rendered material, 0.22 to 0.53
    /// for drawings of few colours, which blend when reduced. The median of nine is 0.78.
    private static let fallWithArea = 0.8
    /// Exponent of the stride in a frame's encoded size.
    ///
    /// Measured at strides 2, 3 and 5: 0.05 to 0.36 if frames change in part, none if they change
    /// everywhere. The value is in the middle.
    private static let growthOfChange = 0.25

    private let outline: AnimationOutline
    private let size: (width: Int, height: Int)
    private let scratch: ScratchSpace
    private let step: Int
    private var encoder: FrameEncoder?
    private var output = OutputFile(descriptor: nil, limit: .max)
    private var pending = ChangedRegion()
    /// Encoded sizes of the first frame, and of frames that directly follow another.
    private var firstBytes = 0
    private var followingBytes = 0
    private var followingCount = 0
    /// Ratio of measured to predicted size for the rungs tried.
    private var correction = 1.0

    init(_ outline: AnimationOutline, size: (width: Int, height: Int), scratch: ScratchSpace) {
        (self.outline, self.size, self.scratch) = (outline, size, scratch)
        step = max(1, outline.delays.count / Self.pairs)
    }

    /// Encodes a frame if the sample includes it; `method` becomes `wholeFrames` if necessary.
    mutating func add(
        _ canvas: AnimationCanvas, changed: ChangedRegion, frame: Int,
        method: inout FrameEncoder.Method
    ) throws(AnimationFault) {
        pending.formUnion(changed)
        guard frame % step <= 1 else { return }
        let isFollowing = frame > 0 && (step == 1 || frame % step == 1)
        do throws(EncodingStop) {
            let before = try startedOutput(method).count
            do throws(EncodingStop) {
                try encoder?.add(canvas, changed: pending, centiseconds: 10)
            } catch {
                guard case .needsWholeFrames = error else { throw error }
                method = .wholeFrames
                encoder = nil
                try startedOutput(method).flush()
                try encoder?.add(canvas, changed: ChangedRegion(canvas.bounds), centiseconds: 10)
            }
            let bytes = output.count - before
            if frame == 0 { firstBytes = bytes }
            if isFollowing || method == .wholeFrames {
                followingBytes += bytes
                followingCount += 1
            }
        } catch {
            guard case .fault(let fault) = error else { return }
            throw fault
        }
        pending = ChangedRegion()
    }

    private mutating func startedOutput(
        _ method: FrameEncoder.Method
    ) throws(EncodingStop) -> OutputFile {
        if encoder == nil {
            encoder = try FrameEncoder(
                to: output, canvas: (outline.width, outline.height), size: size, quality: .best,
                method: method, palette: Palette([], isExact: false), plays: nil, scratch: scratch)
        }
        return output
    }

    mutating func finish() {
        encoder = nil
        output = OutputFile(descriptor: nil, limit: .max)
    }

    func bytes(of rung: AnimationRung, frames: Int) -> Double {
        let area = Double(rung.width * rung.height) / Double(size.width * size.height)
        let first = Double(firstBytes)
        let following = followingCount > 0 ? Double(followingBytes) / Double(followingCount) : first
        // More changes between frames further apart, up to the whole frame.
        let growth = pow(Double(rung.stride), Self.growthOfChange)
        let changed = min(max(first, following), following * growth)
        return (first + changed * Double(frames - 1)) * pow(area, Self.fallWithArea)
            * rung.quality.share * correction
    }

    mutating func calibrate(_ rung: AnimationRung, frames: Int, found: Double) {
        let predicted = bytes(of: rung, frames: frames)
        if predicted > 0, found > predicted { correction *= found / predicted }
    }
}

extension FrameQuality {
    /// Encoded size relative to the best quality.
    ///
    /// Measured on nine animations: 0.70 to 0.94, 0.52 to 0.86 and 0.36 to 0.70, least reduction
    /// for drawings of few colours. The nine are the three of `Images/`, a noisy film, two large
    /// ones of the tests, and foreign files: a WebP of 50 frames, a GIF of 22 and an APNG of 101.
    ///
    /// The values are below the medians of 0.90, 0.68 and 0.45. An attempt that exceeds its budget
    /// corrects them and costs time; skipping a rung that would fit costs quality.
    fileprivate var share: Double {
        switch self {
        case .best: 1
        case .similar: 0.8
        case .fewerColours: 0.6
        default: 0.4
        }
    }
}
