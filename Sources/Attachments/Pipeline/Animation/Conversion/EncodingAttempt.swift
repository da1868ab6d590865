internal import AttachmentFormats
internal import Foundation

/// One attempt to encode an animation at a rung of the ladder.
struct EncodingAttempt {
    enum Outcome {
        case whole(bytes: Int)
        /// The survey's prediction has learned from it.
        case overBytes
        case needsWholeFrames
    }

    let rung: AnimationRung
    let schedule: FrameSchedule
    private let survey: AnimationSurvey
    private let source: any FrameSource

    init(
        _ rung: AnimationRung, _ schedule: FrameSchedule, _ survey: AnimationSurvey,
        _ source: any FrameSource
    ) {
        (self.rung, self.schedule, self.survey, self.source) = (rung, schedule, survey, source)
    }

    func run(
        to target: WritingTarget, plays: Int?, _ settings: AnimationSettings, in space: PlaneSpace
    ) throws(AnimationFault) -> Outcome {
        guard target.empty() else {
            throw AnimationFault(.unwritable, String(cString: strerror(errno)))
        }
        let output = OutputFile(target, limit: settings.bytes)
        var progress = (slots: 0, part: 0.0)
        do throws(EncodingStop) {
            let encoder = try FrameEncoder(
                to: output, of: source.plane, quality: rung.quality, method: survey.method,
                palette: survey.palette(rung.quality), keepsColours: !survey.isReduced,
                plays: plays, in: space)
            try encode(with: encoder, &progress)
            return .whole(bytes: output.count)
        } catch {
            switch error {
            case .fault(let fault): throw fault
            case .needsWholeFrames: return .needsWholeFrames
            case .overBytes:
                survey.prediction.learn(
                    rung, schedule, survey.method, slots: progress.slots, part: progress.part,
                    bytes: output.count)
                return .overBytes
            }
        }
    }

    private func encode(
        with encoder: FrameEncoder, _ progress: inout (slots: Int, part: Double)
    ) throws(EncodingStop) {
        var count = 0
        for slot in schedule.slots {
            var pending = PixelRect.empty
            // Frames between two shown ones still change the canvas.
            while count <= slot.frame {
                let change = try EncodingStop.rethrowing { () throws(AnimationFault) in
                    try source.next()
                }
                guard let change else { break }
                pending = pending.union(change.rect)
                count += 1
            }
            do throws(EncodingStop) {
                try encoder.add(pending, centiseconds: slot.centiseconds)
            } catch {
                progress.part = encoder.part
                throw error
            }
            progress.slots += 1
        }
        try encoder.finish()
    }
}
