import AttachmentContainer
import AttachmentModel
import Foundation
import WorkerProtocol

/// A false statement about renditions.
struct Falsehood: Sendable {
    /// Changes the answer or its files.
    let apply: @Sendable (inout RenderedAttachment, [CInt]) -> Void

    private init(_ apply: @escaping @Sendable (inout RenderedAttachment, [CInt]) -> Void) {
        self.apply = apply
    }

    static let all: [Falsehood] = [
        Falsehood { answer, _ in answer.renditions = [] },
        Falsehood { answer, _ in answer.renditions[0].output = 99 },
        Falsehood { answer, _ in answer.renditions[0].output = .min },
        Falsehood { answer, _ in answer.renditions[1].output = 0 },
        Falsehood { answer, _ in answer.renditions[0].role = RenditionRole(rawValue: "../../x") },
        Falsehood { answer, _ in answer.renditions[0].type = "public.movie" },
        Falsehood { answer, _ in answer.renditions[0].type = "public.jpeg" },
        Falsehood { answer, _ in answer.renditions[0].size = PixelSize(width: .max, height: .max) },
        Falsehood { answer, _ in answer.renditions[0].size = PixelSize(width: 3, height: 3) },
        Falsehood { answer, _ in answer.renditions[0].duration = -1 },
        Falsehood { answer, _ in answer.renditions[0].frames = .max },
        Falsehood { answer, _ in answer.source.framesUsed = .min },
        Falsehood { answer, _ in answer.source.orientation = 0 },
        Falsehood { answer, _ in answer.source.format = "\u{1B}]0;x\u{7}" },
        Falsehood { answer, _ in answer.notes = ["\u{1B}[2J\u{202E}"] },
        Falsehood { answer, _ in answer.notes = [String(repeating: "x", count: 1 << 20)] },
        Falsehood { answer, _ in answer.rung = "../streamed" },
        // Invalid and oversized output files.
        Falsehood { _, outputs in _ = ftruncate(outputs[0], 0) },
        Falsehood { _, outputs in _ = ftruncate(outputs[0], 11 << 20) },
        Falsehood { _, outputs in _ = pwrite(outputs[0], "GIF89a", 6, 0) },
        // A picture reported as a movie.
        Falsehood { answer, _ in
            answer.renditions = [.init(.media, type: "public.mpeg-4", size: .zero, output: nil)]
            answer.rung = RenderedAttachment.passedThrough
        },
    ]
}

extension HostileSession {
    /// A valid answer, with a picture of one pixel in each of two files.
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
            averageColour: Colour(red: 9, green: 9, blue: 9), rung: Rung.streamed.rawValue,
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
