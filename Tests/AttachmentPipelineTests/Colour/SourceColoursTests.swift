import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Meaning of a picture's samples", .timeLimit(.minutes(2)))
struct SourceColoursTests {
    @Test("A whole profile for the picture's own space is used")
    func usable() {
        for (model, sample) in [
            (SourceColours.Model.rgb, SampleProfile.rgb()), (.grey, .grey(gamma: 1.8)),
        ] {
            let colours = SourceColours(model, profile: sample.bytes, isExpected: true)
            #expect(colours.profile == sample.bytes && colours.note == nil)
        }
    }

    @Test("A profile for another space is ignored with a note that names both")
    func otherSpace() {
        let spaces = ["RGB ", "GRAY", "CMYK", "Lab ", "YCbr"]
        for (model, own, name) in [
            (SourceColours.Model.rgb, "RGB ", "RGB"), (.grey, "GRAY", "grey"),
            (.cmyk, "CMYK", "CMYK"),
        ] {
            for space in spaces where space != own {
                var sample = SampleProfile.rgb()
                sample.space = space
                let colours = SourceColours(model, profile: sample.bytes, isExpected: true)
                #expect(colours.profile == nil)
                let other = space == "GRAY" ? "grey" : space.filter { $0 != " " }
                #expect(
                    colours.note
                        == "the colour profile was ignored: it is for \(other), the picture is \(name)"
                )
            }
        }
    }

    @Test(
        "A cut or garbled profile, and one of a kind without a conversion, is ignored with a note")
    func unreadable() {
        let whole = SampleProfile.rgb().bytes
        var profiles = [[], [1, 2, 3], Array("prof".utf8), Array(whole.prefix(200))]
        profiles += [Array(whole.dropLast(40)), whole.map { _ in 0x55 }]
        for change in [
            { (sample: inout SampleProfile) in sample.kind = "link" }, { $0.kind = "abst" },
            { $0.connection = "RGB " }, { $0.tags.removeLast() }, { $0.tags = [] },
        ] {
            var sample = SampleProfile.rgb()
            change(&sample)
            profiles.append(sample.bytes)
        }
        for profile in profiles {
            let colours = SourceColours(.rgb, profile: profile, isExpected: true)
            #expect(colours.profile == nil && colours.note == ColourProfile.unreadable)
        }
        #expect(
            SourceColours(.rgb, profile: nil, isExpected: true).note == ColourProfile.unreadable)
        #expect(SourceColours(.rgb, profile: nil, isExpected: false).note == nil)
        #expect(
            SourceColours(.cmyk, profile: nil, isExpected: false).note
                == SourceColours.assumedPress)
    }

    @Test(
        "A grey picture with an unusable profile is the picture without it, with a note",
        arguments: [ProcessingSettings.EngineChoice.automatic, .libvips])
    func grey(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let plain = try Self.greyJPEG(in: fixture)
            let expected = try await fixture.process("plain.jpg", identifier: "plain") {
                ($0.width, $0.scale, $0.engine) = (40, 1, engine)
            }
            var lab = SampleProfile.rgb()
            lab.space = "Lab "
            for profile in [SampleProfile.rgb().bytes, lab.bytes, [1, 2, 3]] {
                try SampleProfile.embed(profile, in: plain).write(to: fixture.url("in.jpg"))
                let done = try await fixture.process("in.jpg") {
                    ($0.width, $0.scale, $0.engine) = (40, 1, engine)
                }
                #expect(
                    try fixture.bytes(.expanded, of: done.manifest)
                        == fixture.bytes(.expanded, of: expected.manifest))
                #expect(
                    done.manifest.notes.contains { $0.hasPrefix("the colour profile was ignored") })
            }
        }
    }

    @Test(
        "A grey profile is converted to sRGB's transfer function",
        arguments: [ProcessingSettings.EngineChoice.automatic, .libvips])
    func greyProfile(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let plain = try Self.greyJPEG(in: fixture)
            try SampleProfile.grey(gamma: 1).embedded(in: plain).write(to: fixture.url("in.jpg"))
            let done = try await fixture.process("in.jpg") {
                ($0.width, $0.scale, $0.engine, $0.quality) = (40, 1, engine, 95)
            }
            // Linear light of 64/255 is 137 in sRGB (IEC 61966-2-1).
            let pixel = try fixture.picture(.expanded, of: done.manifest).pixel(20, 15)
            #expect(pixel.allSatisfy { abs($0 - 137) <= 2 }, "\(pixel)")
        }
    }

    /// A grey JPEG of level 64, with a frame of another level.
    private static func greyJPEG(in fixture: ProcessorFixture) throws -> Data {
        let image = try VipsImage.rows(
            size: PixelSize(width: 80, height: 60), bands: 1, isDeep: false, colours: .grey,
            profile: nil
        ) { row in
            for x in row.indices { row[x] = x == 0 ? 200 : 64 }
        }
        try image.write(to: fixture.url("plain.jpg"), with: "jpegsave_target", ["Q": .int(95)])
        return try Data(contentsOf: fixture.url("plain.jpg"))
    }
}
