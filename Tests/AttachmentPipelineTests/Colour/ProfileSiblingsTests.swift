import AttachmentContainer
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

/// Every format, colour model and kind of profile, by both engines.
@Suite("Profiles of every kind", .timeLimit(.minutes(3)))
struct ProfileSiblingsTests {
    enum Kind: CaseIterable {
        /// Linear light, for the picture's own space.
        case own
        case otherSpace
        /// Seven bytes.
        case short
        /// Without its last tag's data.
        case cut
        case garbage
        /// A length beyond the profile's end.
        case tooLong

        /// Nil for inks of their own.
        func profile(of model: Model) -> [UInt8]? {
            let whole = (model.isGrey ? SampleProfile.grey(gamma: 1) : .rgb(gamma: 1)).bytes
            let other = (model.isGrey ? SampleProfile.rgb(gamma: 1) : .grey(gamma: 1)).bytes
            switch self {
            case .own: return model == .cmyk ? nil : whole
            case .otherSpace: return other
            case .short: return Array("profile".utf8)
            case .cut: return Array(whole.dropLast(16))
            case .garbage: return (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 89) }
            case .tooLong: return [0x7F, 0xFF, 0xFF, 0xFF] + whole.dropFirst(4).dropLast(16)
            }
        }
    }

    enum Model: CaseIterable {
        case grey, rgb, rgba, cmyk, deepGrey, deep

        var isGrey: Bool { self == .grey || self == .deepGrey }
        var isDeep: Bool { self == .deep || self == .deepGrey }

        var image: VipsImage {
            get throws {
                let samples: [UInt8] =
                    switch self {
                    case .grey, .deepGrey: [55]
                    case .rgb, .deep: [55, 100, 30]
                    case .rgba: [55, 100, 30, 128]
                    case .cmyk: [20, 60, 90, 10]
                    }
                let isDeep = isDeep
                return try VipsImage.rows(
                    size: TaggedPicture.size, bands: samples.count, isDeep: isDeep,
                    colours: isGrey ? .grey : self == .cmyk ? .cmyk : .rgb, profile: nil
                ) { row in
                    for index in 0..<row.count / (isDeep ? 2 : 1) {
                        let sample = samples[index % samples.count]
                        if isDeep {
                            row.storeBytes(
                                of: UInt16(sample) * 257, toByteOffset: 2 * index, as: UInt16.self)
                        } else {
                            row[index] = sample
                        }
                    }
                }.inMemory()
            }
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let format: String
        let model: Model
        let kind: Kind

        var testDescription: String { "\(format) \(model) \(kind)" }

        static let all: [Case] = {
            let models: [(String, [Model])] = [
                ("jpeg", [.grey, .rgb, .cmyk]), ("png", [.grey, .rgb, .rgba, .deepGrey, .deep]),
                ("webp", [.rgb, .rgba]), ("tiff", [.grey, .rgb, .deepGrey, .deep]),
                ("hevc", [.rgb]), ("av1", [.rgb]),
            ]
            return models.flatMap { format, models in
                models.flatMap { model in
                    // Others are written with a whole profile, whose bytes are replaced.
                    (["jpeg", "png"].contains(format)
                        ? Kind.allCases : [.own, .otherSpace, .garbage]).map {
                            Case(format: format, model: model, kind: $0)
                        }
                }
            }.filter { $0.kind.profile(of: $0.model) != nil }
        }()
        /// Every fifth of them, which leaves none of the formats, models and kinds out.
        static let few = all.enumerated().filter { $0.offset % 5 == 0 }.map(\.element)

        func write(_ profile: [UInt8]?, to file: URL) throws {
            let image = try model.image
            if format == "jpeg" || format == "png" {
                try image.write(to: file, with: format + "save_target")
                guard let profile else { return }
                let bytes = try Data(contentsOf: file)
                let chunk = Data.pngChunk(
                    "iCCP", Array("icc\0\0".utf8) + [UInt8].zlib(storing: profile))
                try
                    (format == "jpeg"
                    ? SampleProfile.embed(profile, in: bytes)
                    : bytes.prefix(33) + chunk + bytes.dropFirst(33)).write(to: file)
                return
            }
            let whole = Self.padded(Kind.own.profile(of: model == .cmyk ? .rgb : model) ?? [])
            let described = profile == nil ? image : try image.settingProfile(whole)
            switch format {
            case "webp":
                try described.write(to: file, with: "webpsave_target", ["lossless": .bool(true)])
            case "tiff": try described.write(to: file, with: "tiffsave_target")
            default:
                try described.write(
                    to: file, with: "heifsave_target",
                    [
                        "compression": .name(format), "Q": .int(95), "effort": .int(0),
                        "subsample_mode": .name("off"), "bitdepth": .int(8),
                    ])
            }
            guard let profile else { return }
            var bytes = try Data(contentsOf: file)
            let place = try #require(bytes.firstRange(of: whole))
            bytes.replaceSubrange(place, with: Self.padded(profile))
            try bytes.write(to: file)
        }

        private static func padded(_ profile: [UInt8]) -> [UInt8] {
            profile + Array(repeating: 0, count: 600 - profile.count)
        }
    }

    @Test(
        "A usable profile is converted, and others are ignored with a note",
        arguments: Thoroughness.isFull ? Case.all : Case.few,
        [ProcessingSettings.EngineChoice.automatic, .libvips])
    func siblings(sample: Case, engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            func pixel(_ name: String) async throws -> (pixel: [Int], notes: [String]) {
                let manifest = try await fixture.process(name) {
                    ($0.width, $0.scale, $0.engine, $0.quality) = (32, 1, engine, 95)
                }.manifest
                let picture = try fixture.picture(.expanded, of: manifest)
                return (try picture.pixel(16, 12), manifest.notes)
            }
            try sample.write(sample.kind.profile(of: sample.model), to: fixture.url("profiled"))
            let found = try await pixel("profiled")
            guard sample.kind == .own else {
                try sample.write(nil, to: fixture.url("plain"))
                let plain = try await pixel("plain")
                #expect(zip(found.pixel, plain.pixel).allSatisfy { abs($0 - $1) <= 1 })
                #expect(found.pixel.count == plain.pixel.count)
                #expect(found.notes.contains { $0.hasPrefix("the colour profile was ignored") })
                return
            }
            // sRGB's samples of linear light of 55, 100 and 30 of 255 (IEC 61966-2-1).
            let expected = sample.model.isGrey ? [128, 128, 128] : [128, 168, 96]
            let limit = ["hevc", "av1"].contains(sample.format) ? 5 : 3
            #expect(
                zip(found.pixel, expected).allSatisfy { abs($0 - $1) <= limit }, "\(found.pixel)")
            #expect(!found.notes.contains { $0.hasPrefix("the colour profile") })
        }
    }
}
