import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Inks by rows", .timeLimit(.minutes(3)))
struct InkTests {
    private static let size = PixelSize(width: 701, height: 467)

    @Test(
        "JPEGs in inks agree with libvips, in every coding",
        arguments: InkedJPEG.Planes.allCases, [false, true])
    func jpeg(planes: InkedJPEG.Planes, isProgressive: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            let file = InkedJPEG(planes: planes, isProgressive: isProgressive)
            try file.write(VipsFixture.waves(Self.size), to: fixture.url("in.jpg"))
            let header = try Probe().picture(at: fixture.url("in.jpg").path)
            #expect(header.colourModel == .cmyk && header.profileBytes > 0)
            try await fixture.compareEngines("in.jpg", least: 40) {
                ($0.width, $0.scale, $0.quality) = (300, 1, 95)
            }
        }
    }

    @Test(
        "Chroma of inks at half the size agrees with libvips, in several scans and in one",
        arguments: [false, true])
    func subsampled(isInterleaved: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            let name = try fixture.writeSubsampledInks(Self.size, isInterleaved: isInterleaved)
            let header = try Probe().picture(at: fixture.url(name).path)
            #expect(header.coding.name == (isInterleaved ? "baseline" : "non-interleaved"))
            try await fixture.compareEngines(name, least: 40) {
                ($0.width, $0.scale, $0.quality) = (300, 1, 95)
            }
        }
    }

    @Test("Inks in every orientation and cropped agree with libvips")
    func orientations() async throws {
        try await ProcessorFixture.with { fixture in
            try InkedJPEG().write(VipsFixture.waves(Self.size), to: fixture.url("upright.jpg"))
            let upright = try Data(contentsOf: fixture.url("upright.jpg"))
            for orientation in Orientation.allCases {
                try upright.withOrientation(UInt8(orientation.rawValue))
                    .write(to: fixture.url("in.jpg"))
                for ratio in [nil, 1.2] {
                    try await fixture.compareEngines("in.jpg", least: 40) {
                        ($0.width, $0.scale, $0.quality) = (200, 1, 95)
                        ($0.cropRatio, $0.bannerSide) = (ratio, 32)
                    }
                }
            }
        }
    }

    @Test("TIFFs in inks agree with libvips", arguments: [8, 16], [false, true])
    func tiff(bits: Int, isTiled: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            var picture = try VipsFixture.waves(Self.size).inked()
            if bits == 16 {
                picture = try picture.applying(
                    "cast", ["format": .name("ushort"), "shift": .bool(true)])
            }
            try picture.write(
                to: fixture.url("in.tif"), with: "tiffsave_target",
                ["tile": .bool(isTiled), "compression": .name("lzw")])
            let header = try Probe().picture(at: fixture.url("in.tif").path)
            #expect(header.colourModel == .cmyk && header.bitsPerSample == bits)
            try await fixture.compareEngines("in.tif", least: 40) {
                ($0.width, $0.scale, $0.quality) = (300, 1, 95)
            }
        }
    }

    @Test("The setting of Display P3 leaves inks in sRGB, by rows")
    func wide() async throws {
        try await ProcessorFixture.with { fixture in
            try InkedJPEG().write(VipsFixture.waves(Self.size), to: fixture.url("in.jpg"))
            let usual = try await fixture.process("in.jpg", identifier: "usual").manifest
            let wide = try await fixture.process("in.jpg", identifier: "wide") {
                $0.colourSpace = .displayP3
            }.manifest
            #expect(usual.engine == "rows" && wide.engine == "rows")
            #expect(usual.renditions == wide.renditions)
        }
    }

    @Test(
        "Inks without a profile, or with one of another colour space, agree with libvips",
        arguments: [false, true])
    func withoutProfile(isProgressive: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            let inks = try VipsFixture.waves(Self.size).inked()
            for arguments in [["strip": .bool(true)], ["profile": VipsArgument.name("p3")]] {
                try inks.write(
                    to: fixture.url("in.jpg"), with: "jpegsave_target",
                    arguments.merging(["Q": .int(95), "interlace": .bool(isProgressive)]) { $1 })
                let header = try Probe().picture(at: fixture.url("in.jpg").path)
                #expect(header.colourModel == .cmyk)
                #expect((header.profileBytes > 0) == (arguments["strip"] == nil))
                try await fixture.compareEngines("in.jpg", least: 40) {
                    ($0.width, $0.scale, $0.quality) = (300, 1, 95)
                }
            }
        }
    }

    @Test("Colours of the default press agree with Little CMS", arguments: [1, 2])
    func press(sampleBytes: Int) throws {
        // Each ink at six values between the table's.
        let levels: [UInt8] = [0, 30, 90, 150, 210, 255]
        let inks = levels.flatMap { cyan in
            levels.flatMap { magenta in
                levels.flatMap { yellow in levels.flatMap { [cyan, magenta, yellow, $0] } }
            }
        }
        let size = PixelSize(width: 36, height: 36)
        let data = NSMutableData(data: Data(inks))
        let picture = try VipsFixture.waves(size).inked().removingMetadata(keepingProfile: false)
            .replaced(
                by: UnsafeMutableRawBufferPointer(start: data.mutableBytes, count: data.length),
                of: data)
        let expected = try picture.applying(
            "icc_transform",
            [
                "output_profile": .name("srgb"), "input_profile": .name("cmyk"),
                "intent": .name("relative"), "black_point_compensation": .bool(true),
            ]
        ).samples()
        var layout = PlaneLayout(colours: .cmyk, planes: [.init(size)])
        layout.sampleBytes = sampleBytes
        var converted = [UInt8](repeating: 0, count: expected.count)
        let deep = inks.map { UInt16($0) * 257 }
        converted.withUnsafeMutableBytes { converted in
            inks.withUnsafeBytes { bytes in
                deep.withUnsafeBytes { words in
                    guard let start = (sampleBytes == 1 ? bytes : words).baseAddress else { return }
                    PressConversion(of: layout).convertRow(start, to: converted)
                }
            }
        }
        #expect(Array(converted.prefix(3)) == [255, 255, 255])
        let squares = zip(converted, expected).reduce(0.0) {
            $0 + pow(Double($1.0) - Double($1.1), 2)
        }
        #expect(10 * log10(255 * 255 * Double(expected.count) / squares) > 42)
    }

    @Test("Damage to inks is reported as by libvips")
    func damage() async throws {
        try await ProcessorFixture.with { fixture in
            try InkedJPEG().write(VipsFixture.waves(Self.size), to: fixture.url("whole.jpg"))
            let whole = try Data(contentsOf: fixture.url("whole.jpg"))
            try whole.dropLast(5000).write(to: fixture.url("cut.jpg"))
            for engine in [ProcessingSettings.EngineChoice.automatic, .libvips] {
                let error = try await fixture.refuse("cut.jpg") { $0.engine = engine }
                #expect(error?.code == .truncated)
            }
            let tolerant = try await fixture.process("cut.jpg") { $0.toleratesTruncation = true }
            #expect(tolerant.manifest.engine == "rows")
        }
    }

    @Test(
        "Inks take at most the predicted memory", arguments: [0, 100_000_000], [false, true])
    func memory(scratch: Int, hasProfile: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            let waves = try VipsFixture.waves(PixelSize(width: 2400, height: 1800))
            if hasProfile {
                try InkedJPEG().write(waves, to: fixture.url("in.jpg"))
            } else {
                try waves.inked().write(
                    to: fixture.url("in.jpg"), with: "jpegsave_target",
                    ["strip": .bool(true), "interlace": .bool(true)])
            }
            let made = try await fixture.process("in.jpg") {
                $0.maximumScratchBytes = ByteCount(scratch)
            }
            let predicted = try #require(made.memory.predictedPeak)
            #expect(made.manifest.engine == "rows")
            #expect(made.memory.measuredPeak <= predicted)
        }
    }
}

/// A JPEG of four components with a profile, without subsampling.
struct InkedJPEG {
    enum Planes: CaseIterable {
        /// As Adobe's programs write it: 255 is no ink.
        case cmyk
        /// The same without Adobe's marker.
        case plainCMYK
        case ycck
    }

    var planes = Planes.cmyk
    var isProgressive = false

    /// Writes an sRGB picture.
    func write(_ picture: VipsImage, to file: URL) throws {
        let inks = try picture.inked()
        let stored = planes == .ycck ? try inks.complementsAsYCbCr() : inks
        try stored.write(
            to: file, with: "jpegsave_target",
            ["Q": .int(95), "interlace": .bool(isProgressive)])
        var bytes = try Data(contentsOf: file)
        // Length, "Adobe", version, two words of flags, transform (T.872, 6.5.3).
        let marker = try #require(bytes.firstRange(of: Data([0xFF, 0xEE, 0, 14] + "Adobe".utf8)))
        switch planes {
        case .cmyk: break
        case .plainCMYK: bytes.removeSubrange(marker.lowerBound..<marker.lowerBound + 16)
        case .ycck: bytes[marker.lowerBound + 15] = 2
        }
        try bytes.write(to: file)
    }
}

extension VipsImage {
    /// An sRGB picture in the inks of libvips' profile, which is embedded.
    fileprivate func inked() throws -> VipsImage {
        try applying(
            "icc_transform",
            ["output_profile": .name("cmyk"), "input_profile": .name("srgb")])
    }

    /// CMYK as YCCK with all samples inverted, as libvips inverts them when it writes a JPEG.
    fileprivate func complementsAsYCbCr() throws -> VipsImage {
        var samples = try samples()
        for first in stride(from: 0, to: samples.count, by: 4) {
            let (red, green, blue) = (
                Double(samples[first]), Double(samples[first + 1]), Double(samples[first + 2])
            )
            let luma = 0.299 * red + 0.587 * green + 0.114 * blue
            // T.871, section 7.
            let coded = [luma, 128 + (blue - luma) / 1.772, 128 + (red - luma) / 1.402]
            for band in 0..<3 {
                samples[first + band] = 255 - UInt8(min(255, max(0, coded[band])).rounded())
            }
        }
        let data = NSMutableData(data: Data(samples))
        return try replaced(
            by: UnsafeMutableRawBufferPointer(start: data.mutableBytes, count: data.length),
            of: data)
    }
}

extension ProcessorFixture {
    /// Writes YCCK with chroma of half the size; the name of the file.
    ///
    /// Joins a JPEG in YCbCr and one in grey, since no tool at hand writes this coding.
    fileprivate func writeSubsampledInks(_ size: PixelSize, isInterleaved: Bool) throws -> String {
        let waves = try VipsFixture.waves(size)
        try JPEGCase(size: size).write(waves, to: url("inks.jpg"))
        try JPEGCase(size: size, isGrey: true).write(waves, to: url("black.jpg"))
        try InkedJPEG().write(waves, to: url("profile.jpg"))
        let (inks, black) = (try segments("inks.jpg"), try segments("black.jpg"))
        let profile = try segments("profile.jpg").filter { $0[1] == 0xE2 || $0[1] == 0xEE }
        var file = Data([0xFF, 0xD8])
        for segment in profile {
            file += segment
            // The transform of Adobe's marker.
            if segment[1] == 0xEE { file[file.count - 1] = 2 }
        }
        for segment in inks where segment[1] != 0xE0 {
            guard segment[1] == 0xC0 else {
                file += segment
                continue
            }
            // A fourth component with the sampling and tables of the first (T.81, B.2.2).
            var frame = segment + [4, 0x22, 0]
            (frame[3], frame[9]) = (frame[3] + 3, 4)
            file += frame
        }
        var scan = try #require(black.last { $0[1] == 0xDA })
        scan[5] = 4
        for tables in black where tables[1] == 0xC4 { file += tables }
        file += scan
        file += [0xFF, 0xD9]
        try file.write(to: url("scans.jpg"))
        guard isInterleaved else { return "scans.jpg" }
        let source = try AttachmentFile(path: url("scans.jpg").path)
        try withExtendedLifetime(source) {
            let stream = try ProgressiveJPEGStream(
                source.openFile, loadShrink: 1, isTolerant: false)
            var joined = Data()
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
                guard count > 0 else { break }
                joined += buffer[..<count]
            }
            try joined.write(to: url("scan.jpg"))
        }
        return "scan.jpg"
    }

    /// Segments of a JPEG of one scan; the last has the coded data.
    private func segments(_ name: String) throws -> [Data] {
        let bytes = [UInt8](try Data(contentsOf: url(name)))
        var segments: [Data] = []
        var offset = 2
        while bytes[offset + 1] != 0xDA {
            let length = 2 + Int(bytes[offset + 2]) << 8 + Int(bytes[offset + 3])
            segments.append(Data(bytes[offset..<offset + length]))
            offset += length
        }
        return segments + [Data(bytes[offset..<bytes.count - 2])]
    }
}
