import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

/// TIFF of L*a*b* and CMYK with every kind of profile, by both engines.
@Suite("Profiles of L*a*b* and CMYK in TIFF", .timeLimit(.minutes(3)))
struct TIFFProfileTests {
    enum Kind: CaseIterable {
        case none, own, otherSpace, grey, short, cut, garbage
    }

    enum Model: CaseIterable {
        case lab, labAlpha, cmyk

        /// Samples of 8 bits; a* and b* are signed.
        var samples: [Int] {
            switch self {
            case .lab: [153, 40, -30]
            case .labAlpha: [153, 40, -30, 128]
            case .cmyk: [255, 0, 255, 0]
            }
        }

        func samples(bits: Int) -> [Int] {
            guard bits == 16 else { return samples }
            // L* and inks are of 65,535; a* and b* have eight bits after the point.
            return samples.enumerated().map { index, value in
                self != .cmyk && (1...2).contains(index) ? value * 256 : value * 257
            }
        }

        /// The test's own profile; `Press` has its colours.
        var own: [UInt8] {
            guard self != .cmyk else { return Press.profile.bytes }
            let table = Array("mft2".utf8) + Array(repeating: 0, count: 60)
            return SampleProfile(
                space: "Lab ", kind: "abst", connection: "Lab ",
                tags: [("A2B0", table)]
            ).bytes
        }

        /// sRGB of L* 60, a* 40 and b* -30 by Little CMS 2.14, from L*a*b* in D50.
        static let violet = [193, 117, 199]
        /// sRGB of full cyan and yellow as of a common press (libvips 8.14: `cmyk` to `srgb`).
        static let green = [0, 140, 50]

        func profile(_ kind: Kind) -> [UInt8]? {
            switch kind {
            case .none: nil
            case .own: own
            case .otherSpace: SampleProfile.rgb(gamma: 1).bytes
            case .grey: SampleProfile.grey(gamma: 1).bytes
            case .short: Array("profile".utf8)
            case .cut: Array(own.dropLast(16))
            case .garbage: (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 89) }
            }
        }

        func note(_ kind: Kind) -> String? {
            let name = self == .cmyk ? "CMYK" : "Lab"
            return switch kind {
            case .own: nil
            case .none: self == .cmyk ? SourceColours.assumedPress : nil
            case .otherSpace:
                "the colour profile was ignored: it is for RGB, the picture is \(name)"
            case .grey: "the colour profile was ignored: it is for grey, the picture is \(name)"
            case .short, .cut, .garbage: ColourProfile.unreadable
            }
        }
    }

    enum Layout: CaseIterable {
        case strip, strips, tiles, planes
    }

    @Test(
        "A usable profile is converted, and others are ignored with a note",
        arguments: Model.allCases, Kind.allCases)
    func siblings(model: Model, kind: Kind) async throws {
        try await ProcessorFixture.with { fixture in
            for (bits, layout) in [
                (8, Layout.strip), (16, .strips), (8, .tiles), (16, .tiles), (8, .planes),
            ] {
                var tiff = Self.tiff(model, bits: bits, layout)
                tiff.profile = model.profile(kind)
                try tiff.bytes.write(to: fixture.url("in.tif"))
                for engine in [ProcessingSettings.EngineChoice.automatic, .libvips] {
                    let manifest = try await fixture.process("in.tif") {
                        ($0.engine, $0.quality) = (engine, 95)
                    }.manifest
                    let name = "\(bits) bits, \(layout), \(engine)"
                    #expect(manifest.notes == [model.note(kind)].compactMap(\.self), "\(name)")
                    let pixel = try fixture.picture(.expanded, of: manifest).pixel(16, 12)
                    let colour = model == .cmyk && kind != .own ? Model.green : Model.violet
                    let expected = colour + (model == .labAlpha ? [128] : [])
                    #expect(
                        pixel.count == expected.count
                            && zip(pixel, expected).allSatisfy {
                                // The table of the press differs from libvips at full inks.
                                abs($0 - $1) <= (colour == Model.green ? 6 : 3)
                            },
                        "\(name): \(pixel)")
                }
            }
        }
    }

    @Test("L*a*b* is converted from D50 with the toe of its curve", arguments: [8, 16])
    func colours(bits: Int) async throws {
        // By Little CMS 2.14, from L*a*b* in D50.
        let samples: [(lab: [Int], rgb: [Int])] = [
            ([0, 0, 0], [0, 0, 0]), ([100, 0, 0], [255, 255, 255]), ([50, 0, 0], [119, 119, 119]),
            ([4, 0, 0], [14, 14, 14]), ([50, -60, 40], [0, 141, 40]),
            ([25, 10, -60], [0, 59, 153]),
        ]
        try await ProcessorFixture.with { fixture in
            for (lab, rgb) in samples {
                let largest = bits == 16 ? 65_535 : 255
                let unit = bits == 16 ? 256 : 1
                let values = [(lab[0] * largest + 50) / 100, lab[1] * unit, lab[2] * unit]
                try Self.tiff(values, photometric: 8, bits: bits, .strip).bytes
                    .write(to: fixture.url("in.tif"))
                let manifest = try await fixture.process("in.tif") { $0.quality = 95 }.manifest
                let pixel = try fixture.picture(.expanded, of: manifest).pixel(16, 12)
                let found = pixel.count == 1 ? [pixel[0], pixel[0], pixel[0]] : pixel
                #expect(zip(found, rgb).allSatisfy { abs($0 - $1) <= 2 }, "\(lab): \(found)")
            }
        }
    }

    private static func tiff(_ model: Model, bits: Int, _ layout: Layout) -> WrittenTIFF {
        var tiff = tiff(
            model.samples(bits: bits), photometric: model == .cmyk ? 5 : 8, bits: bits, layout)
        if model == .labAlpha { tiff.tags[338] = [2] }
        return tiff
    }

    /// A picture of 64 × 48 pixels of one colour.
    private static func tiff(
        _ samples: [Int], photometric: Int, bits: Int, _ layout: Layout
    ) -> WrittenTIFF {
        func pixels(_ count: Int, _ samples: [Int]) -> [UInt8] {
            let pixel = samples.flatMap { value in
                (0..<bits / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            }
            return (0..<count).flatMap { _ in pixel }
        }
        let pieces: [[UInt8]] =
            switch layout {
            case .strip: [pixels(64 * 48, samples)]
            case .strips: Array(repeating: pixels(64 * 5, samples), count: 10)
            case .tiles: Array(repeating: pixels(32 * 32, samples), count: 4)
            case .planes: samples.map { pixels(64 * 48, [$0]) }
            }
        var tiff = WrittenTIFF(
            width: 64, height: 48, samples: samples.count, bits: bits, photometric: photometric,
            rowsPerStrip: layout == .strips ? 5 : nil, pieces: pieces)
        if layout == .tiles { tiff.setTiles(width: 32, height: 32) }
        if layout == .planes { tiff.tags[284] = [2] }
        return tiff
    }
}

/// A press whose inks are violet if cyan and yellow are full, and white without ink.
private enum Press {
    /// A table of two values for each ink (ICC.1:2001, 6.5.8).
    static let profile = SampleProfile(
        space: "CMYK", kind: "prtr", connection: "Lab ", tags: [("A2B0", table)])

    private static let table: [UInt8] = {
        var bytes = Array("mft1\0\0\0\0".utf8) + [4, 3, 2, 0]
        for index in 0..<9 { bytes += [0, index.isMultiple(of: 4) ? 1 : 0, 0, 0] }
        let ramp = (0...255).map { UInt8($0) }
        bytes += ramp + ramp + ramp + ramp
        for inks in 0..<16 {
            switch inks {
            case 0: bytes += [255, 128, 128]
            case 0b1010: bytes += [153, 168, 98]
            default: bytes += [0, 128, 128]
            }
        }
        return bytes + ramp + ramp + ramp
    }()
}
