import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

/// Small files that other software writes or reads differently.
///
/// References come from tifffile, Pillow and, for CMYK, libvips with the same samples interleaved.
@Suite("Pictures from other software", .timeLimit(.minutes(2)))
struct ForeignPictureTests {
    private static func names(_ kind: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: ForeignFile.picture(kind).path
        ).sorted()
    }

    private static func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: ForeignFile.picture(name))
    }

    @Test(
        "TIFFs with 32 bits, separate planes, white-is-zero or extra samples are decoded correctly")
    func tiff() async throws {
        let names = try Self.names("tiff")
        #expect(names.count == 20)
        for name in names {
            // The table of the default press agrees with its profile to 43 dB.
            let manifest = try await compare(
                "tiff/\(name)", largest: name.contains("cmyk") ? 1.5 : 1)
            let notes =
                name.contains("-f4-")
                ? ["floating-point samples clipped to 0…1"]
                : name.contains("cmyk") ? [SourceColours.assumedPress] : []
            #expect(manifest.notes == notes, "\(name)")
        }
    }

    @Test("Without scratch files 32-bit samples are refused, not shown as noise")
    func tiffByLibrary() async throws {
        try await ProcessorFixture.with { fixture in
            let deep = try Self.names("tiff").filter { $0.contains("-u4-") || $0.contains("-f4-") }
            #expect(deep.count == 10)
            for name in deep {
                try Self.bytes("tiff/\(name)").write(to: fixture.url(name))
                let error = try await fixture.refuse(name) { $0.maximumScratchBytes = ByteCount(0) }
                #expect(error?.code == .unsupported, "\(name)")
            }
            let spare = "0077-rgbx-u1-None-pFalse-strip1000-contig-clLE-o1-14x45-unspecified.tif"
            try Self.bytes("tiff/\(spare)").write(to: fixture.url(spare))
            let manifest = try await fixture.process(spare) {
                $0.maximumScratchBytes = ByteCount(0)
            }.manifest
            #expect(manifest.rendition(.expanded)?.type == "public.jpeg")
        }
    }

    @Test("JPEGs with an unknown Adobe transform or a long Adobe segment are read as YCbCr")
    func adobe() async throws {
        let names = try Self.names("jpeg").filter { $0.contains("adobe") }
        #expect(names.count == 6)
        for name in names {
            // Decoders differ in chroma upsampling.
            let manifest = try await compare("jpeg/\(name)", largest: 4)
            #expect(manifest.notes == ["an unknown Adobe colour transform was ignored"])
        }
    }

    @Test("JPEGs with duplicate component identifiers are refused if their scans are ambiguous")
    func duplicateNames() async throws {
        try await ProcessorFixture.with { fixture in
            let names = try Self.names("jpeg").filter { $0.contains("ids") }
            #expect(names.count == 4)
            for name in names {
                try Self.bytes("jpeg/\(name)").write(to: fixture.url(name))
                let error = try await fixture.refuse(name)
                #expect(error?.code == .corrupt)
                #expect(error?.reason.contains("components with the same identifier") == true)
            }
        }
    }

    /// Name, number of bytes to drop, number of frames, and faults.
    private static let brokenGIFs: [(String, Int, Int, Set<HarmlessFault>)] = [
        ("a0004-n4-129x90-g5.gif", 0, 4, [.missingEnd]),
        ("a0130-n2-17x15-g3.gif", "trailing".count, 2, [.missingEnd]),
        ("a0159-n2-22x8-g3.gif", 0, 2, [.missingEnd]),
        ("zero-at-end.gif", 1, 3, [.missingEnd, .strayBytes]),
        ("still-notrailer.gif", 0, 1, [.missingEnd]),
    ]

    @Test("A GIF without a trailer is animated and not kept as it is", arguments: brokenGIFs)
    func noTrailer(
        name: String, surplus: Int, frames: Int, faults: Set<HarmlessFault>
    ) async throws {
        let broken = try Self.bytes("gif/\(name)")
        try await ProcessorFixture.with { fixture in
            try broken.write(to: fixture.url("broken.gif"))
            try (broken.dropLast(surplus) + [0x3B]).write(to: fixture.url("whole.gif"))
            let found = try await fixture.process("broken.gif", identifier: "broken").manifest
            let expected = try await fixture.process("whole.gif", identifier: "whole").manifest
            #expect(found.source.frames == expected.source.frames)
            let (picture, reference) = (
                try fixture.picture(.expanded, of: found),
                try fixture.picture(.expanded, of: expected)
            )
            #expect(picture.size == reference.size)
            #expect(try picture.largestDifference(from: reference) == 0)
            #expect(Set(expected.notes).isDisjoint(with: faults.texts))
            #expect(Set(found.notes).isSuperset(of: faults.texts))
            guard frames > 1 else { return }
            #expect(found.rendition(.attachment)?.frames == frames)
            #expect(expected.notes == ["the animation was kept as it was"])
            #expect(found.notes == faults.texts)
            #expect(try fixture.bytes(.attachment, of: found) != broken)
        }
    }

    /// Processes a picture and compares the luma of the expanded rendition with the reference.
    private func compare(_ path: String, largest: Double) async throws -> Manifest {
        try await ProcessorFixture.with { fixture in
            let name = String(path.split(separator: "/").last ?? "")
            try Self.bytes(path).write(to: fixture.url(name))
            let manifest = try await fixture.process(name) { $0.quality = 100 }.manifest
            let picture = try fixture.picture(.expanded, of: manifest)
            let reference = try VipsFixture.open(
                ForeignFile.picture("references/\(name.prefix { $0 != "." }).png"), with: .png)
            #expect(picture.size == reference.size, "\(name)")
            #expect(picture.hasAlpha == reference.hasAlpha, "\(name)")
            let (found, expected) = (try picture.luma(), try reference.luma())
            let sum = zip(found, expected).reduce(0) { $0 + abs($1.0 - $1.1) }
            #expect(found.count == expected.count)
            #expect(sum / Double(max(1, found.count)) <= largest, "\(name)")
            return manifest
        }
    }
}

extension VipsImage {
    /// Luma of every pixel (ITU-R BT.601), or its grey value.
    fileprivate func luma() throws -> [Double] {
        let (samples, bands) = (try samples(), bands)
        return stride(from: 0, to: samples.count, by: bands).map { pixel in
            guard bands > 2 else { return Double(samples[pixel]) }
            let red = 0.299 * Double(samples[pixel])
            return red + 0.587 * Double(samples[pixel + 1]) + 0.114 * Double(samples[pixel + 2])
        }
    }
}
