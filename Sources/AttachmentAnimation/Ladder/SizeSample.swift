internal import AttachmentDecoding
internal import Foundation

/// Encodes pairs of frames from all over an animation, and predicts from their bytes what a rung takes.
struct SizeSample {
    /// How many pairs there are at most: more do not predict better in proportion to their time.
    private static let pairs = 8

    /// The power of the area that bytes fall with: a reduced frame has more detail a pixel.
    ///
    /// Measured at 0.6 of the sides: 0.74 to 0.90 of what cameras and renderers make, 0.22 to 0.53 of
    /// what is drawn with few colours, whose reduction blends them; 0.78 is the median of nine.
    private static let fallWithArea = 0.8
    /// The power of the frames that one stands for that a frame's bytes grow with.
    ///
    /// Measured at 2, 3 and 5: 0.05 to 0.36 where frames change in part; where they change all over
    /// there is no growth. Their middle is taken.
    private static let growthOfChange = 0.25

    private let outline: AnimationOutline
    private let size: (width: Int, height: Int)
    private let scratch: ScratchSpace
    /// From a pair to the next, in frames.
    private let step: Int
    private var encoder: FrameEncoder?
    private var output = OutputFile(descriptor: nil, limit: .max)
    private var pending = ChangedRegion()
    /// The bytes of the first frame, and of those that follow another directly.
    private var firstBytes = 0
    private var followingBytes = 0
    private var followingCount = 0
    /// How much more was found when a rung was tried than was predicted.
    private var correction = 1.0

    /// Prepares a sample.
    ///
    /// - Parameters:
    ///   - outline: The animation.
    ///   - size: The size at which frames are encoded.
    ///   - scratch: Where pictures lie that take more than 64 KiB.
    init(_ outline: AnimationOutline, size: (width: Int, height: Int), scratch: ScratchSpace) {
        (self.outline, self.size, self.scratch) = (outline, size, scratch)
        step = max(1, outline.delays.count / Self.pairs)
    }

    /// Encodes a frame, if it is of the sample.
    ///
    /// - Parameters:
    ///   - canvas: What is shown.
    ///   - changed: Where it changed since the frame before.
    ///   - frame: The frame's number.
    ///   - method: What frames are drawn over; becomes `wholeFrames` when they have to be.
    /// - Throws: `AnimationFault`.
    mutating func add(
        _ canvas: AnimationCanvas, changed: ChangedRegion, frame: Int,
        method: inout FrameEncoder.Method
    ) throws(AnimationFault) {
        pending.formUnion(changed)
        guard frame % step <= 1 else { return }
        let isFollowing = frame > 0 && (step == 1 || frame % step == 1)
        do throws(EncodingStop) {
            let before = try begun(method).count
            do throws(EncodingStop) {
                try encoder?.add(canvas, changed: pending, centiseconds: 10)
            } catch {
                guard case .blankAgain = error else { throw error }
                method = .wholeFrames
                encoder = nil
                try begun(method).flush()
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

    private mutating func begun(_ method: FrameEncoder.Method) throws(EncodingStop) -> OutputFile {
        if encoder == nil {
            encoder = try FrameEncoder(
                to: output, canvas: (outline.width, outline.height), size: size,
                treatment: .best, method: method, palette: Palette([], isExact: false),
                plays: nil, scratch: scratch)
        }
        return output
    }

    /// Ends the sample, and gives back what it held.
    mutating func finish() {
        encoder = nil
        output = OutputFile(descriptor: nil, limit: .max)
    }

    /// Predicts what a rung takes.
    ///
    /// - Parameters:
    ///   - rung: The rung.
    ///   - frames: How many frames it shows.
    /// - Returns: Bytes.
    func bytes(of rung: AnimationRung, frames: Int) -> Double {
        let area = Double(rung.width * rung.height) / Double(size.width * size.height)
        let first = Double(firstBytes)
        let following =
            followingCount > 0 ? Double(followingBytes) / Double(followingCount) : first
        // What changes between frames that are further apart is more, up to everything.
        let growth = pow(Double(rung.stride), Self.growthOfChange)
        let changed = min(max(first, following), following * growth)
        return (first + changed * Double(frames - 1)) * pow(area, Self.fallWithArea)
            * rung.treatment.share * correction
    }

    /// Learns from a rung that was tried.
    ///
    /// - Parameters:
    ///   - rung: The rung.
    ///   - frames: How many frames it shows.
    ///   - found: What it would take in bytes, as far as it was tried.
    mutating func learn(_ rung: AnimationRung, frames: Int, found: Double) {
        let predicted = bytes(of: rung, frames: frames)
        if predicted > 0, found > predicted { correction *= found / predicted }
    }
}

extension Treatment {
    /// What it leaves of the bytes of the best treatment.
    ///
    /// Measured on nine animations (the three of `Images/`, a noisy film, two large ones of the tests,
    /// a WebP of 50 frames, a GIF of 22 and an APNG of 101 of other projects): 0.70 to 0.94, 0.52 to
    /// 0.86 and 0.36 to 0.70, what is drawn with few colours losing least. Values below the medians,
    /// 0.90, 0.68 and 0.45, are taken: a rung that passes its budget when it is tried corrects them and
    /// costs time, one that would have kept it and was passed over costs quality.
    fileprivate var share: Double {
        switch self {
        case .best: 1
        case .similar: 0.8
        case .fewerColours: 0.6
        default: 0.4
        }
    }
}
