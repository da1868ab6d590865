internal import Foundation

/// Predicts the encoded size of rungs from the changed pixels of all frames, and from the attempts
/// made so far.
struct SizePrediction {
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

    /// Changed pixels of each frame, at `size`.
    let changes: [Int]
    private let size: (width: Int, height: Int)
    /// Bytes per changed pixel in the best quality; nil before the first attempt.
    private var density: Double?

    init(changes: [Int], size: (width: Int, height: Int)) {
        (self.changes, self.size) = (changes, size)
    }

    /// Returns the first rung predicted to fit, or nil, and removes the rungs before it.
    func choose(
        from rungs: inout ArraySlice<AnimationRung>, _ outline: AnimationOutline,
        _ method: FrameEncoder.Method, bytes: Int
    ) -> AnimationRung? {
        guard density != nil else { return rungs.first }
        rungs = rungs.drop { rung in
            self.bytes(of: rung, rung.schedule(of: outline), method) > Double(bytes)
        }
        return rungs.first
    }

    /// Predicted size in bytes; 0 before the first attempt.
    func bytes(
        of rung: AnimationRung, _ schedule: FrameSchedule, _ method: FrameEncoder.Method
    ) -> Double {
        scale(of: rung) * drawn(schedule, schedule.slots.count, method) * (density ?? 0)
    }

    /// Learns from an attempt that was over its budget: bytes written for the first `slots` frames
    /// and a part of the next.
    mutating func learn(
        _ rung: AnimationRung, _ schedule: FrameSchedule, _ method: FrameEncoder.Method,
        slots: Int, part: Double, bytes: Int
    ) {
        let before = drawn(schedule, slots, method)
        let after = drawn(schedule, min(slots + 1, schedule.slots.count), method)
        let found = Double(bytes) / max(1, before + (after - before) * part) / scale(of: rung)
        density = max(density ?? 0, found)
    }

    /// Bytes of a drawn pixel relative to the best quality at the surveyed size.
    private func scale(of rung: AnimationRung) -> Double {
        let area = Double(rung.width * rung.height) / Double(size.width * size.height)
        return pow(area, Self.fallWithArea) * rung.quality.share
    }

    /// Pixels drawn for the first slots of a schedule, at the surveyed size.
    private func drawn(
        _ schedule: FrameSchedule, _ slots: Int, _ method: FrameEncoder.Method
    ) -> Double {
        let whole = size.width * size.height
        guard method == .differences else { return Double(whole * slots) }
        var (sum, next) = (0.0, 0)
        for slot in schedule.slots[..<slots] {
            let merged = changes[min(next, changes.count)..<min(slot.frame + 1, changes.count)]
            next = slot.frame + 1
            // More changes between frames further apart, up to the whole frame.
            let growth = pow(Double(max(1, merged.count)), Self.growthOfChange)
            sum += min(Double(whole), Double(merged.max() ?? 0) * growth)
        }
        return sum
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
