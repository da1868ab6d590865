package import AttachmentDecoding
internal import Foundation

/// Makes a GIF of an animation, within a budget of bytes and one of decoded bytes.
///
/// It never holds more than a canvas, a frame and the state of the output, and of those only rows and
/// tables on the heap: pictures lie in scratch files once they take more than 64 KiB.
package struct AnimationConversion: Sendable {
    /// What the headers say.
    package let outline: AnimationOutline
    private let file: AnimationFile
    private let settings: AnimationSettings
    private let scratch: ScratchSpace

    /// How often the whole animation is encoded at most, until a rung keeps the bytes.
    private static let attempts = 4

    /// Reads the headers.
    ///
    /// - Parameters:
    ///   - file: The file, which stays open as long as this value is used.
    ///   - settings: What is asked of the output.
    ///   - scratch: Where pictures lie that take more than 64 KiB.
    /// - Throws: `AnimationFault` with code `undecodable`, `notAnimated`, `tooManyFrames`, `tooLong`
    ///   or `tooLarge`.
    package init(
        of file: AnimationFile, settings: AnimationSettings, scratch: ScratchSpace
    ) throws(AnimationFault) {
        (self.file, self.settings, self.scratch) = (file, settings, scratch)
        outline = try AnimationOutline(of: file, in: scratch, limits: settings.limits)
        guard outline.delays.count > 1 else {
            throw AnimationFault(.notAnimated, "it has one frame only")
        }
    }

    /// Writes the GIF.
    ///
    /// - Parameters:
    ///   - output: An empty file, open for writing; it stays the caller's. It has part of a GIF
    ///     after an error.
    ///   - isCancelled: Is asked before each frame.
    /// - Returns: What came out.
    /// - Throws: `AnimationFault` with code `undecodable`, `doesNotFit`, `unwritable` or `cancelled`.
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
            // The last attempt has room to spare; before a still is all there is, the least is tried.
            let bytes = left > 1 ? settings.bytes : settings.bytes / 5 * 3
            let chosen = survey.choose(from: &remaining, outline, bytes: bytes)
            if chosen == nil { left = 1 }
            let rung = chosen ?? rungs.last ?? best
            let schedule = rung.schedule(of: outline)
            let attempt = try attempt(rung, schedule, survey, to: output, isCancelled)
            switch attempt {
            case .whole(let bytes):
                return summary(rung, schedule, survey, bytes: bytes)
            case .overBytes(let found):
                survey.learn(rung, frames: schedule.slots.count, found: found)
                remaining = remaining.dropFirst()
                left -= 1
            case .blankAgain:
                // Once at most: frames that are drawn whole have nothing to clear.
                survey.drawWholeFrames()
            }
        }
        throw doesNotFit
    }

    /// Whether the file is a well-formed GIF that keeps both budgets and the size, and plays the same
    /// everywhere, as it is.
    package var fitsAsItIs: Bool {
        file.format == .gif && outline.isWellFormed && !outline.isCut && !outline.isExceeded
            && file.length <= settings.bytes
            && outline.width <= settings.width && outline.height <= settings.height
            && outline.width * outline.height * 4 * outline.delays.count <= settings.renderBytes
    }

    /// Finds the frame that tells most, for a still or a banner where nothing is converted.
    ///
    /// - Parameter isCancelled: Is asked before each frame.
    /// - Returns: Its number, from 0.
    /// - Throws: `AnimationFault` with code `undecodable` or `cancelled`.
    package func tellingFrame(
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) -> Int {
        var (thumbnail, telling) = (FrameThumbnail(), TellingFrame())
        var playback = try Playback(
            of: file, in: scratch, frames: outline.delays.count, isCancelled: isCancelled)
        while let changed = try playback.next() {
            do throws(DecodingFault) {
                _ = try thumbnail.update(from: playback.canvas, changed: changed)
            } catch {
                throw AnimationFault(error)
            }
            telling.add(playback.count - 1, thumbnail)
        }
        telling.finish()
        return telling.index
    }

    private enum Attempt {
        /// It took these bytes.
        case whole(bytes: Int)
        /// It would take about these bytes.
        case overBytes(Double)
        /// It has to be drawn in whole frames.
        case blankAgain
    }

    private func attempt(
        _ rung: AnimationRung, _ schedule: FrameSchedule, _ survey: AnimationSurvey,
        to descriptor: CInt, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) -> Attempt {
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
            case .blankAgain: return .blankAgain
            case .overBytes:
                let part = Double(max(1, written)) / Double(schedule.slots.count)
                return .overBytes(Double(output.count) / part)
            }
        }
    }

    private func encode(
        _ rung: AnimationRung, _ schedule: FrameSchedule, _ survey: AnimationSurvey,
        to output: OutputFile, _ isCancelled: @escaping @Sendable () -> Bool,
        _ written: inout Int
    ) throws(EncodingStop) {
        let encoder = try FrameEncoder(
            to: output, canvas: (outline.width, outline.height), size: (rung.width, rung.height),
            treatment: rung.treatment, method: survey.method,
            palette: survey.palettes[rung.treatment] ?? Palette([], isExact: false),
            plays: outline.plays, scratch: scratch)
        var playback = try EncodingStop.passing { () throws(AnimationFault) in
            try Playback(
                of: file, in: scratch, frames: outline.delays.count, isCancelled: isCancelled)
        }
        var pending = ChangedRegion()
        for slot in schedule.slots {
            // Frames between two that are shown are drawn for what they leave.
            while playback.count <= slot.frame {
                let changed = try EncodingStop.passing { () throws(AnimationFault) in
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
            notes: AnimationNotes(outline, settings).notes(
                rung, schedule, damaged: survey.damagedCount))
    }

    private var doesNotFit: AnimationFault {
        AnimationFault(
            .doesNotFit,
            "no size, look and choice of its \(outline.delays.count) frames stays within"
                + " \(settings.bytes) bytes and \(settings.renderBytes) decoded bytes")
    }
}
