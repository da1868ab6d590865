import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import Foundation
import WorkerProtocol

/// Something false that a worker says of its renditions.
struct Lie: Sendable {
    /// Changes an answer, and perhaps the files that it is about.
    let tell: @Sendable (inout RenderedAttachment, [CInt]) -> Void

    private init(_ tell: @escaping @Sendable (inout RenderedAttachment, [CInt]) -> Void) {
        self.tell = tell
    }

    static let all: [Lie] = [
        Lie { answer, _ in answer.renditions = [] },
        Lie { answer, _ in answer.renditions[0].output = 99 },
        Lie { answer, _ in answer.renditions[0].output = .min },
        Lie { answer, _ in answer.renditions[1].output = 0 },
        Lie { answer, _ in answer.renditions[0].role = RenditionRole(rawValue: "../../x") },
        Lie { answer, _ in answer.renditions[0].type = "public.movie" },
        Lie { answer, _ in answer.renditions[0].type = "public.jpeg" },
        Lie { answer, _ in answer.renditions[0].size = PixelSize(width: .max, height: .max) },
        Lie { answer, _ in answer.renditions[0].size = PixelSize(width: 3, height: 3) },
        Lie { answer, _ in answer.renditions[0].duration = -1 },
        Lie { answer, _ in answer.renditions[0].frames = .max },
        Lie { answer, _ in answer.source.framesUsed = .min },
        Lie { answer, _ in answer.source.orientation = 0 },
        Lie { answer, _ in answer.source.format = "\u{1B}]0;x\u{7}" },
        Lie { answer, _ in answer.notes = ["\u{1B}[2J\u{202E}"] },
        Lie { answer, _ in answer.notes = [String(repeating: "x", count: 1 << 20)] },
        Lie { answer, _ in answer.rung = "../streamed" },
        // Its own output is no picture, and grows beyond every ceiling.
        Lie { _, outputs in _ = ftruncate(outputs[0], 0) },
        Lie { _, outputs in _ = ftruncate(outputs[0], 11 << 20) },
        Lie { _, outputs in _ = pwrite(outputs[0], "GIF89a", 6, 0) },
        // The attachment is no movie.
        Lie { answer, _ in
            answer.renditions = [.init(.media, type: "public.mpeg-4", size: .zero, output: nil)]
            answer.rung = RenderedAttachment.passedThrough
        },
    ]
}

extension HostileSession {
    /// A picture of one pixel in each of two files, as a sound worker could have made it.
    static func honest(_ outputs: [CInt]) -> RenderedAttachment {
        for output in outputs.prefix(2) {
            _ = ftruncate(output, 0)
            _ = pixel.withUnsafeBytes { pwrite(output, $0.baseAddress, $0.count, 0) }
        }
        let size = PixelSize(width: 1, height: 1)
        return RenderedAttachment(
            source: .init(
                format: "png", coding: "sequential", size: size, frames: 1, framesUsed: 1),
            renditions: [
                .init(.expanded, type: "public.png", size: size, output: 0),
                .init(.banner, type: "public.png", size: size, output: 1),
            ],
            placeholder: ThumbHash(uniform: Colour(red: 9, green: 9, blue: 9)),
            averageColour: Colour(red: 9, green: 9, blue: 9), rung: Plan.Rung.streamed.rawValue,
            notes: [])
    }

    static func done(_ attachment: RenderedAttachment) -> WorkerMessage {
        .done(
            Rendering(
                attachment,
                memory: MemoryUse(
                    baseline: ByteCount(1), predictedPeak: nil, measuredPeak: ByteCount(1))))
    }

    /// A grey PNG of one pixel.
    private static let pixel =
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
        ) ?? Data()
}
