package import AttachmentFormats
internal import AttachmentModel
internal import Foundation

/// Converts an animation to a GIF in sRGB within budgets for file size and decoded size.
///
/// Every frame is decoded once, reduced to the best size and stored; encoding attempts read the
/// stored frames. Only another size decodes them again. The canvas of the most telling frame is kept
/// for the stills.
package final class AnimationConversion {
    package let outline: AnimationOutline
    private let file: AnimationFile
    let settings: AnimationSettings
    private let space: PlaneSpace
    private let colours: CanvasColours
    /// Memory for a large profile and its conversion tables; nil for the C heap.
    private let colourHeap: ScratchHeap?
    private var telling: TellingCanvas?

    /// Limit on full encoding attempts until a rung meets the file size budget; the first one
    /// measures how well the frames compress.
    private static let attempts = 5

    /// Reads the headers and the profile; the file must stay open while this value is used.
    package init(
        of file: AnimationFile, settings: AnimationSettings, in space: PlaneSpace,
        colourHeap: ScratchHeap? = nil
    ) throws(AnimationFault) {
        (self.file, self.settings, self.space) = (file, settings, space)
        self.colourHeap = colourHeap
        // Nothing is drawn, so the canvas takes no room.
        let frames = try AnimationFault.decoding { () throws(DecodingFault) in
            try file.frames(in: space)
        }
        outline = try AnimationOutline(
            of: frames, isTolerant: file.isTolerant, limits: settings.limits)
        colours = try AnimationFault.decoding { () throws(DecodingFault) in
            try ScratchHeap.placing(in: colourHeap) { () throws(DecodingFault) in
                try frames.readColours()
            }
        }
    }

    /// True if the file has several frames that can be drawn.
    package var isAnimated: Bool { outline.delays.count > 1 }

    /// Writes the GIF to an empty file; a failed run leaves a partial GIF.
    ///
    /// `isCancelled` is called before each frame.
    package func run(
        to output: WritingTarget, isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) -> AnimationSummary {
        let rungs = AnimationLadder(of: outline, settings).rungs
        guard let best = rungs.first else { throw doesNotFit }
        let conversion = ScratchHeap.placing(in: colourHeap) { CanvasConversion(from: colours) }
        let survey = try AnimationSurvey(
            of: file, outline: outline, size: (best.width, best.height), in: space, conversion,
            isCancelled: isCancelled)
        telling = survey.telling
        var (remaining, left) = (rungs[...], Self.attempts)
        while left > 0 {
            // The last attempt uses a smaller budget, to avoid falling back to a still.
            let bytes = left > 1 ? settings.bytes : settings.bytes / 5 * 3
            let chosen = survey.prediction.choose(
                from: &remaining, outline, survey.method, bytes: bytes)
            if chosen == nil { left = 1 }
            let rung = chosen ?? rungs.last ?? best
            let attempt = try EncodingAttempt(
                rung, rung.schedule(of: outline), survey,
                source(rung, survey, conversion, isCancelled))
            switch try attempt.run(to: output, plays: outline.plays, settings, in: space) {
            case .whole(let bytes):
                return summary(attempt, survey, bytes: bytes)
            case .overBytes:
                remaining = remaining.dropFirst()
                left -= 1
            case .needsWholeFrames:
                // A pixel becomes blank only at this size. Happens at most once, because whole
                // frames need no clearing.
                survey.method = .wholeFrames
            }
        }
        throw doesNotFit
    }

    /// The stored frames, or the file's frames at another size.
    private func source(
        _ rung: AnimationRung, _ survey: AnimationSurvey, _ conversion: CanvasConversion?,
        _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) -> any FrameSource {
        if let frames = survey.frames, frames.width == rung.width, frames.height == rung.height {
            return try StoredFrames(
                frames, changes: survey.prediction.changes, in: space, isCancelled: isCancelled)
        }
        return try DecodedFrames(
            of: file, size: (rung.width, rung.height), in: space, frames: outline.delays.count,
            conversion, isCancelled: isCancelled)
    }

    /// True if the file is a well-formed GIF that meets both budgets and the size, and plays the
    /// same in all viewers.
    package var fitsAsItIs: Bool {
        file.format == .gif && outline.faults.isEmpty
            && !outline.isTruncated && !outline.exceedsCanvas
            && file.openFile.length <= settings.bytes
            && outline.width <= settings.width && outline.height <= settings.height
            && outline.width * outline.height * 4 * outline.delays.count <= settings.renderBytes
    }

    /// Finds the most telling frame, unless a conversion has found it, and returns its number from 0
    /// with the rows of its canvas, whose colours are not converted.
    package func tellingFrame(
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) -> (number: Int, rows: any DecodedRows) {
        let telling =
            if let telling { telling } else { try findTellingFrame(isCancelled) }
        self.telling = telling
        return (
            telling.index,
            try AnimationFault.decoding { () throws(DecodingFault) in try telling.rows(colours) }
        )
    }

    private func findTellingFrame(
        _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) -> TellingCanvas {
        let telling = TellingCanvas(width: outline.width, height: outline.height, in: space)
        var playback = try Playback(
            of: file, in: space, frames: outline.delays.count, isCancelled: isCancelled)
        while let changed = try playback.next() {
            let (canvas, frame) = (playback.canvas, playback.count - 1)
            try AnimationFault.decoding { () throws(DecodingFault) in
                try telling.add(frame, canvas, PixelView(canvas), changed: changed)
            }
        }
        return telling
    }

    private func summary(
        _ attempt: EncodingAttempt, _ survey: AnimationSurvey, bytes: Int
    ) -> AnimationSummary {
        let (rung, schedule) = (attempt.rung, attempt.schedule)
        return AnimationSummary(
            width: rung.width, height: rung.height, frames: schedule.slots.count,
            milliseconds: schedule.milliseconds, plays: outline.plays, bytes: bytes,
            tellingFrame: survey.telling.index,
            thumbnailFrame: schedule.slot(of: survey.telling.index),
            notes: notes(rung, schedule, damaged: survey.damagedCount))
    }

    /// Facts of the unchanged file.
    package func unchanged(tellingFrame: Int) -> AnimationSummary {
        AnimationSummary(
            width: outline.width, height: outline.height, frames: outline.delays.count,
            milliseconds: outline.milliseconds, plays: outline.plays, bytes: file.openFile.length,
            tellingFrame: tellingFrame, thumbnailFrame: tellingFrame,
            notes: ["the animation was kept as it was"])
    }

    private var doesNotFit: AnimationFault {
        AnimationFault(
            .doesNotFit,
            "no size, quality and choice of its \(outline.delays.count) frames stays within"
                + " \(settings.bytes) bytes and \(settings.renderBytes) decoded bytes")
    }
}
