import AnimationReference
import AttachmentPipeline
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@Suite("Budgets of an animation", .timeLimit(.minutes(4)))
struct BudgetTests {
    private func reference(_ name: String) throws -> ReferenceAnimation {
        try #require(ReferenceAnimations.all.first { $0.description == name })
    }

    @Test(
        "The file size stays within its budget, with a note",
        arguments: [600_000, 300_000, 100_000, 40_000, 20_000])
    func bytes(_ limit: Int) throws {
        let film = try reference("film.webp")
        var settings = AnimationSettings()
        settings.bytes = limit
        settings.smallestSide = 80
        settings.shortestDuration = 300
        let converted = try ConvertedAnimation(film.path, settings)
        #expect(converted.bytes.count <= limit)
        // Not wasted: uses at least a third of the budget.
        #expect(converted.bytes.count > limit / 3)
        #expect(!converted.summary.notes.isEmpty)
        let drawn = try converted.drawn()
        #expect(drawn.pixels.count == converted.summary.frames)
        #expect(drawn.delays.reduce(0, +) == converted.summary.milliseconds)
        if converted.summary.milliseconds < film.delays.reduce(0, +) {
            #expect(converted.summary.notes.contains { $0.contains("ends after") })
        }
    }

    @Test("The decoded size stays within its budget", arguments: [3_000_000, 1_000_000, 400_000])
    func renderBytes(_ limit: Int) throws {
        var settings = AnimationSettings()
        settings.renderBytes = limit
        settings.smallestSide = 100
        let converted = try ConvertedAnimation(reference("film.webp").path, settings)
        let drawn = try converted.drawn()
        let decoded = drawn.width * drawn.height * 4 * drawn.pixels.count
        #expect(decoded <= limit)
        #expect(decoded == converted.summary.renderBytes)
        #expect(decoded > limit / 3)
        #expect(converted.summary.notes.contains { $0.contains("decoded") })
        if drawn.pixels.count < 24 {
            #expect(converted.summary.milliseconds == 1200)
            #expect(converted.summary.notes.contains { $0.contains("frames are shown") })
        }
    }

    @Test("Budgets that no rung can meet are an error")
    func tooSmall() throws {
        var settings = AnimationSettings()
        settings.bytes = 2000
        #expect(code(try reference("film.webp"), settings) == .doesNotFit)
        settings = AnimationSettings()
        settings.renderBytes = 1000
        #expect(code(try reference("film.webp"), settings) == .doesNotFit)
    }

    @Test("Each exceeded limit has its own error")
    func limits() throws {
        let film = try reference("film.webp")
        var settings = AnimationSettings()
        settings.limits.frames = 23
        #expect(code(film, settings) == .tooManyFrames)
        settings.limits = AnimationLimits()
        settings.limits.seconds = 1.199
        #expect(code(film, settings) == .tooLong)
        settings.limits = AnimationLimits()
        settings.limits.pixels = 320 * 240 - 1
        #expect(code(film, settings) == .tooLarge)
        settings.limits = AnimationLimits()
        settings.limits.drawnPixels = 24 * 320 * 240 - 1
        #expect(code(film, settings) == .tooLarge)
        settings.limits.drawnPixels += 1
        #expect(code(film, settings) == nil)
    }

    @Test("Only a GIF within all budgets fits as it is")
    func asItIs() throws {
        let gif = try reference("6.gif")
        let pixels = gif.width * gif.height
        #expect(try fits(gif) { _ in })
        #expect(try fits(gif) { $0.renderBytes = pixels * 4 * gif.frames })
        #expect(try !fits(gif) { $0.renderBytes = pixels * 4 * gif.frames - 1 })
        #expect(try !fits(gif) { $0.bytes = 10 })
        #expect(try !fits(gif) { $0.width = gif.width - 1 })
        #expect(try !fits(gif) { $0.height = gif.height - 1 })
        #expect(try !fits(reference("film.webp")) { _ in })
        // Its second frame exceeds the canvas.
        #expect(try !fits(reference("7.gif")) { _ in })
    }

    private func fits(
        _ reference: ReferenceAnimation, _ change: (inout AnimationSettings) -> Void
    ) throws -> Bool {
        var settings = AnimationSettings()
        change(&settings)
        return try OpenAnimation.at(reference.path) {
            try AnimationConversion(of: $0, settings: settings, in: OpenAnimation.space)
                .fitsAsItIs
        }
    }

    @Test("Clipped pixels count, because they are decoded")
    func cutOff() throws {
        // An image of one pixel with a frame of 65,535 × 65,535.
        var bytes = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        let data: [UInt8] = [2, 2, 0x4C, 0x01, 0]
        bytes += [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0] + data
        // As many bytes as so many pixels take at least.
        let block = [255] + [UInt8](repeating: 0, count: 255)
        bytes += [0x2C, 0, 0, 0, 0, 255, 255, 255, 255, 0x40, 2]
        for _ in 0..<7_000 { bytes += block }
        bytes += [0, 0x3B]
        let fault = #expect(throws: AnimationFault.self) {
            try OpenAnimation.bytes(bytes, .gif) {
                try ConvertedAnimation($0, AnimationSettings())
            }
        }
        #expect(fault?.code == .tooLarge)
    }

    private func code(
        _ reference: ReferenceAnimation, _ settings: AnimationSettings
    ) -> AnimationFault.Code? {
        do {
            _ = try ConvertedAnimation(reference.path, settings)
            return nil
        } catch {
            return (error as? AnimationFault)?.code
        }
    }

    @Test("Conversion stops when cancelled and when the file is not writable")
    func stopping() throws {
        try OpenAnimation.at(reference("film.webp").path) { file in
            let conversion = try AnimationConversion(
                of: file, settings: AnimationSettings(), in: OpenAnimation.space)
            try OpenAnimation.withUnnamedFile { descriptor in
                let fault = #expect(throws: AnimationFault.self) {
                    try conversion.run(to: .file(descriptor)) { true }
                }
                #expect(fault?.code == .cancelled)
            }
            let fault = #expect(throws: AnimationFault.self) {
                try conversion.run(to: .file(-1)) { false }
            }
            #expect(fault?.code == .unwritable)
        }
    }

    @Test("The still is not a blank frame")
    func tellingFrame() throws {
        let late = try reference("late.webp")
        let summary = try ConvertedAnimation(late.path).summary
        #expect(summary.tellingFrame >= 3)
        #expect((0...summary.tellingFrame).contains(summary.thumbnailFrame))
        #expect(summary.thumbnailFrame < summary.frames)
        let expected = try late.pixels()
        try OpenAnimation.at(late.path) { file in
            let conversion = try AnimationConversion(
                of: file, settings: AnimationSettings(), in: OpenAnimation.space)
            let (number, rows) = try conversion.tellingFrame { false }
            #expect(number == summary.tellingFrame)
            #expect(rows.layout == RowLayout(width: 120, height: 90, bands: 4))
            var shown: [UInt32] = []
            for _ in 0..<90 {
                var row = [UInt32](repeating: 0, count: 120)
                try row.withUnsafeMutableBytes { try rows.readRow(into: $0) }
                shown += row.map { UInt32(littleEndian: $0) }
            }
            let start = summary.tellingFrame * 120 * 90
            #expect(shown == Array(expected[start..<start + 120 * 90]))
        }
    }
}
