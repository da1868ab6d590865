import AnimationReference
import AttachmentPipeline
import AttachmentFormats
import Foundation
import Testing

@Suite("Playback of a converted GIF", .timeLimit(.minutes(4)))
struct PlaybackTests {
    @Test("Pillow plays it like the source animation, frame by frame")
    func playsIdentically() throws {
        let folder = NSTemporaryDirectory() + "thimble-animations-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let references = ReferenceAnimations.all
        try #require(references.count == 193)
        var paths: [String] = []
        for (number, reference) in references.enumerated() {
            let converted = try ConvertedAnimation(reference.path)
            #expect(converted.summary.bytes == converted.bytes.count)
            #expect(
                (converted.summary.width, converted.summary.height)
                    == (reference.width, reference.height))
            paths.append("\(folder)/\(number).gif")
            try Data(converted.bytes).write(to: URL(filePath: paths[number]))
        }
        let played = try ReferenceAnimation.decoded(paths, into: folder)
        try #require(played.count == references.count)
        for (played, reference) in zip(played, references) {
            #expect(try played.differences(from: reference) == [], "\(reference)")
        }
    }

    @Test("Colours that fit in a palette do not change")
    func exactColours() throws {
        var compared = 0
        for reference in ReferenceAnimations.all(.gif).prefix(40) {
            let expected = try reference.pixels()
            let frame = reference.width * reference.height
            let isFew = stride(from: 0, to: expected.count, by: frame).allSatisfy {
                Set(expected[$0..<$0 + frame]).count <= 200
            }
            guard isFew, !reference.delays.contains(where: { $0 < 20 }) else { continue }
            let drawn = try ConvertedAnimation(reference.path).drawn()
            try #require(expected.count == drawn.pixels.joined().count, "\(reference.path)")
            let worst = zip(expected, drawn.pixels.joined()).map(distance).max() ?? 0
            #expect(worst == 0, "\(reference.path)")
            compared += 1
        }
        #expect(compared >= 30)
    }

    @Test("A smaller GIF matches independently scaled frames")
    func smaller() throws {
        let film = try #require(
            ReferenceAnimations.all.first { $0.description == "film.webp" })
        var settings = AnimationSettings()
        settings.width = 100
        let converted = try ConvertedAnimation(film.path, settings)
        #expect((converted.summary.width, converted.summary.height) == (100, 75))
        let drawn = try converted.drawn()
        try #require(drawn.pixels.count == film.frames)
        let pixels = try film.pixels()
        for (number, frame) in drawn.pixels.enumerated() {
            let source = Array(pixels[number * 320 * 240..<(number + 1) * 320 * 240])
            #expect(decibels(frame, averaged(source)) > 28)
        }
    }

    /// Means of 3.2 × 3.2 pixels in linear light.
    private func averaged(_ pixels: [UInt32]) -> [UInt32] {
        let light = (0...255).map { pow(Double($0) / 255, 2.2) }
        return (0..<75 * 100).map { place in
            let (x, y) = (Double(place % 100) * 3.2, Double(place / 100) * 3.2)
            var (sum, weights) = ([0.0, 0.0, 0.0], 0.0)
            for row in Int(y)..<Int((y + 3.2).rounded(.up)) {
                for column in Int(x)..<Int((x + 3.2).rounded(.up)) {
                    let across = min(x + 3.2, Double(column + 1)) - max(x, Double(column))
                    let down = min(y + 3.2, Double(row + 1)) - max(y, Double(row))
                    weights += across * down
                    for band in 0..<3 {
                        let sample = pixels[row * 320 + column] >> UInt32(8 * band) & 255
                        sum[band] += light[Int(sample)] * across * down
                    }
                }
            }
            return sum.enumerated().reduce(0xFF00_0000) { pixel, band in
                let sample = UInt32((pow(band.element / weights, 1 / 2.2) * 255).rounded())
                return pixel | sample << UInt32(8 * band.offset)
            }
        }
    }
}
