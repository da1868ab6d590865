import AnimationReference
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline

@Suite("Predicted sizes of rungs", .timeLimit(.minutes(10)))
struct SizePredictionTests {
    private static let images = URL(filePath: #filePath)
        .appending(path: "../../../../Images").standardizedFileURL.path

    /// Two of the animations behind the measured exponents.
    private static var paths: [String] {
        get throws {
            let film = try #require(
                ReferenceAnimations.all.first { $0.description == "film.webp" })
            return [film.path, "\(images)/aurora-animated.webp"]
        }
    }

    /// Predicted and actual sizes of an animation.
    private struct Trial {
        let outline: AnimationOutline
        let survey: AnimationSurvey
        let best: AnimationRung
        let file: AnimationFile

        /// Learns from the first third of the best rung.
        init(_ file: AnimationFile) throws {
            self.file = file
            outline = try AnimationOutline(of: file)
            best = try #require(AnimationLadder(of: outline, AnimationSettings()).rungs.first)
            survey = try AnimationSurvey(
                of: file, outline: outline, size: (best.width, best.height),
                in: OpenAnimation.space, isCancelled: { false })
            let schedule = best.schedule(of: outline)
            let slots = schedule.slots.count / 3
            survey.prediction.learn(
                best, schedule, survey.method, slots: slots, part: 0,
                bytes: try encoded(best, slots: slots))
        }

        /// Predicted size divided by actual size.
        func quotient(
            _ quality: FrameQuality = .best, stride: Int = 1, sides: Double = 1
        ) throws -> Double {
            let rung = AnimationRung(
                width: Int(Double(best.width) * sides), height: Int(Double(best.height) * sides),
                quality: quality, stride: stride, duration: outline.milliseconds)
            let schedule = rung.schedule(of: outline)
            let size = try encoded(rung, slots: schedule.slots.count)
            return survey.prediction.bytes(of: rung, schedule, survey.method) / Double(size)
        }

        /// Encoded size of the first slots, in bytes.
        private func encoded(_ rung: AnimationRung, slots: Int) throws -> Int {
            let source = try DecodedFrames(
                of: file, size: (rung.width, rung.height), in: OpenAnimation.space,
                frames: outline.delays.count, isCancelled: { false })
            let output = OutputFile(nil, limit: .max)
            let encoder = try FrameEncoder(
                to: output, of: source.plane, quality: rung.quality, method: survey.method,
                palette: survey.palette(rung.quality), keepsColours: !survey.isReduced,
                plays: outline.plays, in: OpenAnimation.space)
            for slot in rung.schedule(of: outline).slots[..<slots] {
                var changed = PixelRect.empty
                while source.playback.count <= slot.frame, let next = try source.next() {
                    changed = changed.union(next.rect)
                }
                try encoder.add(changed, centiseconds: slot.centiseconds)
            }
            return output.count
        }
    }

    @Test("Predictions are within a third of the actual size", arguments: try Self.paths)
    func prediction(path: String) throws {
        try OpenAnimation.at(path) { file in
            let trial = try Trial(file)
            #expect(abs(try trial.quotient() - 1) < 0.1)
            let quotients = try [
                trial.quotient(.similar), trial.quotient(.fewColours),
                trial.quotient(stride: 2), trial.quotient(stride: 5),
                trial.quotient(sides: 0.5),
            ]
            #expect(quotients.allSatisfy { 0.74...1.34 ~= $0 }, "\(quotients)")
        }
    }

    @Test("Before falling back to a still, the smallest moving rung is tried anyway")
    func leastRung() throws {
        // Palettes are a third of such a small file, which the prediction ignores.
        let path = "\(Self.images)/aurora-animated.png"
        let whole = try ConvertedAnimation(path)
        var settings = AnimationSettings()
        settings.bytes = whole.bytes.count * 22 / 100
        let converted = try ConvertedAnimation(path, settings)
        #expect(converted.bytes.count <= settings.bytes && converted.summary.frames > 1)
        #expect(converted.summary.milliseconds == 1200)
    }
}
