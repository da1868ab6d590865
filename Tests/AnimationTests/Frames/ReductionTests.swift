import AnimationReference
import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Foundation
import Testing

@testable import AttachmentPipeline

@Suite("Reduced frames", .timeLimit(.minutes(4)))
struct ReductionTests {
    /// Animations with every disposal method and blending, and a film.
    private static var references: [ReferenceAnimation] {
        ReferenceAnimations.all.enumerated().filter { number, reference in
            number % 9 == 0 || reference.description == "film.webp"
        }.map(\.element)
    }

    /// Sizes below an animation's.
    private static func sizes(_ reference: ReferenceAnimation) -> [(width: Int, height: Int)] {
        [0.9, 0.5, 0.28].map { share in
            (
                max(1, Int(Double(reference.width) * share)),
                max(1, Int(Double(reference.height) * share))
            )
        }
    }

    /// Pixels of all frames.
    private static func frames(
        _ source: any FrameSource, _ check: ([UInt32]) throws -> Void = { _ in }
    ) throws -> [[UInt32]] {
        var frames: [[UInt32]] = []
        while try source.next() != nil {
            let plane = source.plane
            let pixels = Array(
                UnsafeBufferPointer(start: plane.pixels, count: plane.width * plane.height))
            try check(pixels)
            frames.append(pixels)
        }
        return frames
    }

    /// The whole canvas, resampled at once.
    private static func whole(
        _ canvas: AnimationCanvas, to size: (width: Int, height: Int)
    ) throws -> [UInt32] {
        let layout = PlaneLayout(
            colours: .rgba,
            planes: [.init(PixelSize(width: canvas.width, height: canvas.height))])
        let resampler = try Resampler(
            layout.planes[0], of: layout,
            to: TargetAxis(
                samples: size.width, step: Double(canvas.width) / Double(size.width)),
            TargetAxis(
                samples: size.height, step: Double(canvas.height) / Double(size.height)))
        var bytes: [UInt8] = []
        for y in 0..<canvas.height {
            resampler.push(try canvas.pixels() + y * canvas.width) { bytes += $0 }
        }
        return stride(from: 0, to: bytes.count, by: 4).map { first in
            guard bytes[first + 3] >= 128 else { return 0 }
            return bytes[first..<first + 3].reversed().reduce(0xFF) { $0 << 8 | UInt32($1) }
        }
    }

    @Test("Reducing what changed equals reducing the whole canvas, byte for byte")
    func parts() throws {
        try #require(Self.references.count > 20)
        for reference in Self.references {
            for size in Self.sizes(reference) {
                try OpenAnimation.at(reference.path) { file in
                    let source = try DecodedFrames(
                        of: file, size: size, in: OpenAnimation.space, frames: reference.frames,
                        isCancelled: { false })
                    let frames = try Self.frames(source) { pixels in
                        let whole = try Self.whole(source.playback.canvas, to: size)
                        #expect(pixels == whole, "\(reference)")
                    }
                    #expect(frames.count == reference.frames)
                }
            }
        }
    }

    @Test("Strips of an extreme reduction join without a seam")
    func strips() throws {
        // A field of noise of 1500 × 700 pixels, to 48 × 22.
        let (width, height) = (1500, 700)
        var noise: UInt32 = 1
        let rows = (0..<height).map { _ in
            (0..<width).map { _ -> UInt8 in
                noise = noise &* 1_664_525 &+ 1_013_904_223
                return UInt8(noise >> 31)
            }
        }
        try OpenAnimation.bytes(Self.gif(rows), .gif, isTolerant: false) { file in
            let size = (width: 48, height: 22)
            #expect(AnimationDemand.stripWidth(step: Double(width) / 48) < 48)
            let source = try DecodedFrames(
                of: file, size: size, in: OpenAnimation.space, frames: 1, isCancelled: { false })
            let frames = try Self.frames(source)
            let whole = try Self.whole(source.playback.canvas, to: size)
            #expect(frames == [whole])
        }
    }

    /// A GIF of black and white, in codes of three bits without strings.
    private static func gif(_ rows: [[UInt8]]) -> [UInt8] {
        let (width, height) = (rows[0].count, rows.count)
        let size = [width & 255, width >> 8, height & 255, height >> 8].map { UInt8($0) }
        var bits: [UInt8] = []
        // A clear code before the codes would grow.
        for (place, index) in rows.joined().enumerated() {
            if place % 2 == 0 { bits += [0, 0, 1] }
            bits += [index, 0, 0]
        }
        bits += [1, 0, 1]
        let bytes = stride(from: 0, to: bits.count, by: 8).map { first in
            bits[first..<min(first + 8, bits.count)].reversed().reduce(UInt8(0)) { $0 << 1 | $1 }
        }
        let blocks = stride(from: 0, to: bytes.count, by: 255).flatMap { first -> [UInt8] in
            let block = bytes[first..<min(first + 255, bytes.count)]
            return [UInt8(block.count)] + block
        }
        let head = Array("GIF89a".utf8) + size + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        return head + [0x2C, 0, 0, 0, 0] + size + [0, 2] + blocks + [0, 0x3B]
    }

    @Test("Stored frames equal decoded ones, and can be read again")
    func stored() throws {
        for reference in Self.references {
            let size = Self.sizes(reference)[0]
            try OpenAnimation.at(reference.path) { file in
                let decoded = try Self.frames(
                    DecodedFrames(
                        of: file, size: size, in: OpenAnimation.space, frames: reference.frames,
                        isCancelled: { false }))
                let outline = try AnimationOutline(of: file)
                let survey = try AnimationSurvey(
                    of: file, outline: outline, size: size, in: OpenAnimation.space,
                    isCancelled: { false })
                let frames = try #require(survey.frames)
                for _ in 0..<2 {
                    let stored = try StoredFrames(
                        frames, changes: survey.prediction.changes, in: OpenAnimation.space,
                        isCancelled: { false })
                    let read = try Self.frames(stored)
                    #expect(read == decoded, "\(reference)")
                }
            }
        }
    }

    @Test("Without room for the frames, every attempt decodes them again, with the same result")
    func noRoom() throws {
        let film = try #require(ReferenceAnimations.all.first { $0.description == "film.webp" })
        var settings = AnimationSettings()
        settings.bytes = 300_000
        let expected = try ConvertedAnimation(film.path, settings)
        try OpenAnimation.at(film.path) { file in
            // Canvas, planes and the canvas of the telling frame, but less than two megabytes of
            // frames.
            let small = ScratchSpace(folder: "/var/tmp", ceiling: 4 << 20)
            let converted = try ConvertedAnimation(file, settings, in: PlaneSpace(small))
            #expect(converted.bytes == expected.bytes && converted.summary == expected.summary)
            #expect(small.liveBytes == 0)
        }
    }

    @Test("Planes on the heap give the same GIF as planes in scratch files")
    func heap() throws {
        for reference in Self.references + ReferenceAnimations.all(.webp).suffix(5) {
            var settings = AnimationSettings()
            settings.width = max(1, reference.width / 2)
            let inScratch = try ConvertedAnimation(reference.path, settings)
            var largest = 0
            let onHeap = try OpenAnimation.at(reference.path) { file in
                let space = PlaneSpace(OpenAnimation.scratch) { bytes in
                    largest = max(largest, bytes)
                    return true
                }
                return try ConvertedAnimation(file, settings, in: space)
            }
            #expect(onHeap.bytes == inScratch.bytes && onHeap.summary == inScratch.summary)
            let canvas = reference.width * reference.height * 4
            #expect(canvas <= FrameMemory.planesOnHeap || largest >= canvas)
        }
    }

    @Test("Every disposal method shows and hides the same pixels at half the size")
    func disposal() throws {
        var whole = 0
        for reference in ReferenceAnimations.all(.gif) + ReferenceAnimations.all(.png) {
            guard !reference.delays.contains(where: { $0 < 20 }), reference.frames > 1 else {
                continue
            }
            var settings = AnimationSettings()
            (settings.width, settings.smallestSide) = (max(1, reference.width / 2), 1)
            let converted = try ConvertedAnimation(reference.path, settings)
            let size = (converted.summary.width, converted.summary.height)
            let expected = try OpenAnimation.at(reference.path) { file in
                try Self.frames(
                    DecodedFrames(
                        of: file, size: size, in: OpenAnimation.space, frames: reference.frames,
                        isCancelled: { false }))
            }
            let drawn = try converted.drawn()
            try #require(drawn.pixels.count == expected.count, "\(reference)")
            for (shown, wanted) in zip(drawn.pixels, expected) {
                #expect(shown.map { $0 == 0 } == wanted.map { $0 == 0 }, "\(reference)")
            }
            // Pixels become blank in most of these animations.
            let hides = zip(expected, expected.dropFirst()).contains { before, after in
                zip(before, after).contains { $0 != 0 && $1 == 0 }
            }
            if hides { whole += 1 }
        }
        #expect(whole > 10)
    }
}
