package import AttachmentFormats
internal import AttachmentModel
internal import Foundation

/// Converts an animation to a GIF within budgets for file size and decoded size.
///
/// Holds one canvas, one frame and the state of the output. Only rows and tables are on the heap;
/// larger buffers use scratch files from 64 KiB on.
package struct AnimationConversion: Sendable {
    package let outline: AnimationOutline
    private let file: AnimationFile
    let settings: AnimationSettings
    private let scratch: ScratchSpace

    /// Limit on full encoding attempts until a rung meets the file size budget.
    private static let attempts = 4

    /// Reads the headers; the file must stay open while this value is used.
    package init(
        of file: AnimationFile, settings: AnimationSettings, scratch: ScratchSpace
    ) throws(AnimationFault) {
        (self.file, self.settings, self.scratch) = (file, settings, scratch)
        outline = try AnimationOutline(of: file, in: scratch, limits: settings.limits)
        guard outline.delays.count > 1 else {
            throw AnimationFault(.notAnimated, "it has one frame only")
        }
    }

    /// Writes the GIF to an empty file; a failed run leaves a partial GIF.
    ///
    /// `isCancelled` is called before each frame.
    package func run(
        to output: CInt, isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) -> AnimationSummary {
        let rungs = AnimationLadder(of: outline, settings).rungs
        guard let best = rungs.first else { throw doesNotFit }
        var survey = try AnimationSurvey(
            of: file, outline: outline, size: (best.width, best.height), in: scratch,
            isCancelled: isCancelled)
        var (remaining, left) = (rungs[...], Self.attempts)
        while left > 0 {
            // The last attempt uses a smaller budget, to avoid falling back to a still.
            let bytes = left > 1 ? settings.bytes : settings.bytes / 5 * 3
            let chosen = survey.choose(from: &remaining, outline, bytes: bytes)
            if chosen == nil { left = 1 }
            let rung = chosen ?? rungs.last ?? best
            let schedule = rung.schedule(of: outline)
            switch try encode(rung, schedule, survey, to: output, isCancelled) {
            case .whole(let bytes):
                return summary(rung, schedule, survey, bytes: bytes)
            case .overBytes(let found):
                survey.sample.calibrate(rung, frames: schedule.slots.count, found: found)
                remaining = remaining.dropFirst()
                left -= 1
            case .needsWholeFrames:
                // The sample missed a pixel that becomes blank. Happens at most once, because whole
                // frames need no clearing.
                survey.method = .wholeFrames
            }
        }
        throw doesNotFit
    }

    /// True if the file is a well-formed GIF that meets both budgets and the size, and plays the
    /// same in all viewers.
    package var fitsAsItIs: Bool {
        file.format == .gif && outline.isWellFormed
            && !outline.isTruncated && !outline.exceedsCanvas
            && file.openFile.length <= settings.bytes
            && outline.width <= settings.width && outline.height <= settings.height
            && outline.width * outline.height * 4 * outline.delays.count <= settings.renderBytes
    }

    /// Finds the most telling frame, for a still or a banner without conversion, and returns its
    /// number from 0.
    package func tellingFrame(
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) -> Int {
        var telling = TellingFrame()
        var playback = try Playback(
            of: file, in: scratch, frames: outline.delays.count, isCancelled: isCancelled)
        while let changed = try playback.next() {
            _ = try AnimationFault.decoding { () throws(DecodingFault) in
                try telling.add(playback, changed: changed)
            }
        }
        telling.finish()
        return telling.index
    }

    private enum EncodedRung {
        case whole(bytes: Int)
        case overBytes(Double)
        case needsWholeFrames
    }

    private func encode(
        _ rung: AnimationRung, _ schedule: FrameSchedule, _ survey: AnimationSurvey,
        to descriptor: CInt, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) -> EncodedRung {
        guard ftruncate(descriptor, 0) == 0 else {
            throw AnimationFault(.unwritable, String(cString: strerror(errno)))
        }
        let output = OutputFile(descriptor: descriptor, limit: settings.bytes)
        var written = 0
        do throws(EncodingStop) {
            try encode(rung, schedule, survey, to: output, isCancelled, &written)
            return .whole(bytes: output.count)
        } catch {
            switch error {
            case .fault(let fault): throw fault
            case .needsWholeFrames: return .needsWholeFrames
            case .overBytes:
                let part = Double(max(1, written)) / Double(schedule.slots.count)
                return .overBytes(Double(output.count) / part)
            }
        }
    }

    private func encode(
        _ rung: AnimationRung, _ schedule: FrameSchedule, _ survey: AnimationSurvey,
        to output: OutputFile, _ isCancelled: @escaping @Sendable () -> Bool, _ written: inout Int
    ) throws(EncodingStop) {
        let encoder = try FrameEncoder(
            to: output, canvas: (outline.width, outline.height), size: (rung.width, rung.height),
            quality: rung.quality, method: survey.method,
            palette: survey.palettes[rung.quality] ?? Palette([], isExact: false),
            plays: outline.plays, scratch: scratch)
        var playback = try EncodingStop.rethrowing { () throws(AnimationFault) in
            try Playback(
                of: file, in: scratch, frames: outline.delays.count, isCancelled: isCancelled)
        }
        var pending = ChangedRegion()
        for slot in schedule.slots {
            // Frames between two shown ones still change the canvas.
            while playback.count <= slot.frame {
                let changed = try EncodingStop.rethrowing { () throws(AnimationFault) in
                    try playback.next()
                }
                guard let changed else { break }
                pending.formUnion(changed)
            }
            try encoder.add(playback.canvas, changed: pending, centiseconds: slot.centiseconds)
            pending = ChangedRegion()
            written += 1
        }
        try encoder.finish()
    }

    private func summary(
        _ rung: AnimationRung, _ schedule: FrameSchedule, _ survey: AnimationSurvey, bytes: Int
    ) -> AnimationSummary {
        AnimationSummary(
            width: rung.width, height: rung.height, frames: schedule.slots.count,
            milliseconds: schedule.milliseconds, plays: outline.plays, bytes: bytes,
            tellingFrame: survey.tellingFrame,
            notes: notes(rung, schedule, damaged: survey.damagedCount))
    }

    /// Facts of the unchanged file.
    package func unchanged(tellingFrame: Int) -> AnimationSummary {
        AnimationSummary(
            width: outline.width, height: outline.height, frames: outline.delays.count,
            milliseconds: outline.milliseconds, plays: outline.plays, bytes: file.openFile.length,
            tellingFrame: tellingFrame, notes: ["the animation was kept as it was"])
    }

    private var doesNotFit: AnimationFault {
        AnimationFault(
            .doesNotFit,
            "no size, quality and choice of its \(outline.delays.count) frames stays within"
                + " \(settings.bytes) bytes and \(settings.renderBytes) decoded bytes")
    }
}
