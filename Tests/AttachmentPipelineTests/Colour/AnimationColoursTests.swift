import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Colours of animations", .timeLimit(.minutes(3)))
struct AnimationColoursTests {
    private static let unreadable = "the colour profile was ignored: it cannot be read"
    private static let toneMapped = "tone-mapped from high dynamic range"

    /// Display P3 and the exponent 2.2, with primaries as adapted to D50.
    private static var p3: [UInt8] {
        SampleProfile.rgb(
            gamma: 2.2,
            primaries: [
                [0.5151, 0.2412, -0.0011], [0.2919, 0.6922, 0.0419], [0.1572, 0.0666, 0.7841],
            ]
        ).bytes
    }

    /// The same colours, from primaries and white by CSS Color 4.
    private static func shownP3(_ colour: [Int]) -> [Int] {
        ColourTagsTests.Space(
            primaries: 12, transfer: 4, light: { pow($0, 2.2) }, matrix: ColourTagsTests.p3
        ).shown(colour)
    }

    private static func compressed(_ profile: [UInt8]) -> [UInt8] {
        Array("profile\0\0".utf8) + MovingPicture.stored(profile)
    }

    /// Of the same size as the source, and reduced to a third.
    static let widths = [64, 21]

    @Test("A profile of Display P3 in PNG, WebP and AVIF", arguments: widths, [false, true])
    func profile(width: Int, isHalfBlank: Bool) async throws {
        let picture = MovingPicture(isHalfBlank: isHalfBlank)
        for (name, file) in [
            ("PNG", picture.png([("iCCP", Self.compressed(Self.p3))])),
            ("WebP", try picture.webp(Self.p3)),
            ("AVIF", try picture.avif(["--cicp", "1/13/0"], profile: Self.p3)),
        ] {
            let notes = try await expect(file, picture, Self.shownP3, name, width: width)
            #expect(!notes.contains { $0.contains("profile") }, "\(name): \(notes)")
        }
    }

    @Test("Tags of PNG and AVIF", arguments: widths, [false, true])
    func tags(width: Int, isHalfBlank: Bool) async throws {
        let picture = MovingPicture(isHalfBlank: isHalfBlank)
        for space in ColourTagsTests.spaces.prefix(4) {
            let (primaries, transfer) = (space.primaries, space.transfer)
            let png = picture.png([("cICP", [UInt8(primaries), UInt8(transfer), 0, 1])])
            try await expect(png, picture, space.shown, "PNG \(space)", width: width)
            let avif = try picture.avif(["--cicp", "\(primaries)/\(transfer)/0"])
            try await expect(avif, picture, space.shown, "AVIF \(space)", width: width)
        }
        let linear = ColourTagsTests.Space(
            primaries: 1, transfer: 8, light: { $0 }, matrix: [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
        let png = picture.png([("gAMA", [0, 1, 0x86, 0xA0])])
        try await expect(png, picture, linear.shown, "gAMA", width: width)
    }

    @Test("Grey with a profile and with tags for grey", arguments: widths, [false, true])
    func grey(width: Int, isHalfBlank: Bool) async throws {
        let picture = MovingPicture(frames: [[128], [60]], isHalfBlank: isHalfBlank)
        let light = ColourTagsTests.Space(
            primaries: 1, transfer: 4, light: { pow($0, 1.5) }, matrix: [])
        let profile = SampleProfile.grey(gamma: 1.5).bytes
        let png = picture.png([("iCCP", Self.compressed(profile))])
        try await expect(png, picture, light.shown, "PNG", width: width)
        let avif = try picture.avif(["--cicp", "1/13/6"], profile: profile)
        try await expect(avif, picture, light.shown, "AVIF", width: width)
        let power = ColourTagsTests.spaces[4]
        let tagged = try picture.avif(["--cicp", "2/5/6"])
        try await expect(tagged, picture, power.shown, "AVIF by tags", width: width)
    }

    @Test("A broken profile is ignored with a note, and tags apply", arguments: widths)
    func broken(width: Int) async throws {
        let picture = MovingPicture()
        let cut = Array(Self.p3.prefix(200))
        let same = { (colour: [Int]) in colour }
        for (name, file) in [
            ("PNG", picture.png([("iCCP", Array("profile\0\0broken".utf8))])),
            ("WebP", try picture.webp(cut)),
            ("AVIF", try picture.avif(["--cicp", "1/13/0"], profile: cut)),
        ] {
            let notes = try await expect(file, picture, same, name, width: width)
            #expect(notes.filter { $0 == Self.unreadable }.count == 1, "\(name): \(notes)")
        }
        let space = ColourTagsTests.spaces[0]
        let tagged = picture.png([
            ("iCCP", Self.compressed(cut)), ("cICP", [UInt8(space.primaries), 13, 0, 1]),
        ])
        let notes = try await expect(tagged, picture, space.shown, "tags", width: width)
        #expect(notes.contains(Self.unreadable))
        let grey = SampleProfile.grey(gamma: 1.5).bytes
        let other = try await expect(
            picture.png([("iCCP", Self.compressed(grey))]), picture, same, "grey", width: width)
        #expect(
            other.contains("the colour profile was ignored: it is for grey, the picture is RGB"))
    }

    @Test("PQ is tone-mapped unless a profile can be used", arguments: widths)
    func highDynamicRange(width: Int) async throws {
        // PQ of a fifth and a tenth of reference white, below the knee (BT.2100).
        let codes = [40.6, 20.3].map { light in
            let power: Double = pow(light / 10_000, 2610.0 / 16_384)
            let signal: Double = pow(
                (3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
            return Int((signal * 255).rounded())
        }
        let shown = [0.2, 0.1].map { Int(((1.055 * pow($0, 1 / 2.4) - 0.055) * 255).rounded()) }
        let picture = MovingPicture(frames: codes.map { [$0, $0, $0] })
        let mapped = { (colour: [Int]) in colour[0] == codes[0] ? shown[0] : shown[1] }
        for (name, file) in [
            ("PNG", picture.png([("cICP", [9, 16, 0, 1])])),
            ("AVIF", try picture.avif(["--cicp", "9/16/0"])),
        ] {
            let notes = try await expect(
                file, picture, { Array(repeating: mapped($0), count: 3) }, name, width: width,
                within: 4)
            #expect(notes.filter { $0 == Self.toneMapped }.count == 1, "\(name): \(notes)")
        }
        let profiled = try picture.avif(["--cicp", "9/16/0"], profile: Self.p3)
        let notes = try await expect(profiled, picture, Self.shownP3, "profile", width: width)
        #expect(!notes.contains(Self.toneMapped))
    }

    /// Processes an animation, and compares each frame of the GIF and the still with the colours that
    /// `shown` gives; returns the manifest's notes.
    @discardableResult
    private func expect(
        _ file: Data, _ picture: MovingPicture, _ shown: ([Int]) -> [Int], _ comment: String,
        width: Int, within: Int = 2
    ) async throws -> [String] {
        try await ProcessorFixture.with { fixture in
            try file.write(to: fixture.url("in"))
            let manifest = try await fixture.process("in") {
                ($0.width, $0.scale, $0.quality) = (Double(width), 1, 95)
            }.manifest
            let expected = picture.frames.map { colour in
                let shown = shown(colour)
                return shown.count == 1 ? [shown[0], shown[0], shown[0]] : shown
            }
            let isNear = { (pixel: [Int], colour: [Int]) in
                zip(pixel, colour).allSatisfy { abs($0 - $1) <= within }
            }
            let rendition = try #require(manifest.rendition(.attachment))
            let frames = try Self.frames(of: try fixture.bytes(.attachment, of: manifest), fixture)
            #expect(frames.count == expected.count && rendition.size.width == width, "\(comment)")
            for (index, (frame, colour)) in zip(frames, expected).enumerated() {
                let row = frame.dropFirst(width * (rendition.size.height / 2)).prefix(width)
                let pixels = row.map { pixel in
                    [0, 8, 16, 24].map { Int(pixel >> UInt32($0) & 255) }
                }
                #expect(
                    isNear(pixels[width / 4], colour),
                    "\(comment), frame \(index): \(pixels[width / 4]), not \(colour)")
                let alpha = picture.isHalfBlank ? 0 : 255
                #expect(pixels[width - 2][3] == alpha, "\(comment)")
            }
            let still = try fixture.picture(.expanded, of: manifest)
            let pixel = try still.pixel(still.size.width / 4, still.size.height / 2)
            let colours = pixel.count < 3 ? [pixel[0], pixel[0], pixel[0]] : pixel
            #expect(
                expected.contains { isNear(colours, $0) },
                "\(comment), still: \(pixel), not of \(expected)")
            #expect((pixel.count % 2 == 0) == picture.isHalfBlank, "\(comment)")
            return manifest.notes
        }
    }

    /// The canvas of a GIF after each frame, with red in the lowest byte.
    private static func frames(of gif: Data, _ fixture: ProcessorFixture) throws -> [[UInt32]] {
        let url = fixture.url("out.gif")
        try gif.write(to: url)
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }
        let file = AnimationFile(
            OpenFile(descriptor: handle.fileDescriptor, length: gif.count), format: .gif)
        let space = PlaneSpace(ScratchSpace(folder: fixture.folder.path, ceiling: 1 << 26))
        let frames = try file.frames(in: space)
        let (width, height) = (frames.canvas.width, frames.canvas.height)
        var canvases: [[UInt32]] = []
        while try frames.next() != nil {
            _ = try frames.draw()
            canvases.append(
                Array(
                    UnsafeBufferPointer(start: try frames.canvas.pixels(), count: width * height)))
        }
        return canvases
    }
}
