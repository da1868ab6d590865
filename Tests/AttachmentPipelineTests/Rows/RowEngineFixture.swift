import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import SampleMedia
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

/// A JPEG for the engine of rows.
struct JPEGCase: CustomTestStringConvertible, Sendable {
    var size = PixelSize(width: 1001, height: 667)
    /// Sampling factors of luma, as for `cjpeg`.
    var sampling = "2x2"
    var orientation = Orientation.upright
    var isProgressive = false
    var isGrey = false
    /// Rows of units between restart markers, or units with a `B`, as for `cjpeg`.
    var restart: String?
    var cropRatio: Double?
    /// Width of the rendition, in pixels.
    var width = 401
    /// Quality for `cjpeg`.
    var quality = 95

    var testDescription: String {
        "\(size) \(sampling) \(orientation)\(isProgressive ? " progressive" : "")"
            + "\(isGrey ? " grey" : "")\(cropRatio.map { " crop \($0)" } ?? "") to \(width)"
    }

    /// Cases that vary every property, and pairs of them.
    ///
    /// The reduction is small, because libvips begins larger ones with a box filter.
    static let generated: [JPEGCase] = {
        var random = SplitMix64(seed: 15)
        let sides = [64, 333, 500, 1001, 1408]
        return (0..<48).map { number in
            let size = PixelSize(width: sides[random.below(5)], height: sides[random.below(5)])
            let orientation = Orientation.allCases[number % 8]
            return JPEGCase(
                size: size,
                sampling: ["1x1", "2x1", "1x2", "2x2", "4x1", "4x2", "1x4"][number % 7],
                orientation: orientation, isProgressive: random.oneIn(3), isGrey: random.oneIn(6),
                cropRatio: random.oneIn(4) ? [0.5, 1, 1.7][random.below(3)] : nil,
                width: orientation.upright(size).width * 10 / [11, 16, 25, 37][random.below(4)])
        }
    }()

    /// Writes a picture as this JPEG.
    func write(_ picture: VipsImage, to file: URL) throws {
        let source = file.appendingPathExtension("ppm")
        var bytes = Data("P6 \(size.width) \(size.height) 255\n".utf8)
        bytes += try picture.samples()
        try bytes.write(to: source)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/cjpeg")
        var arguments = ["-quality", "\(quality)", "-sample", sampling]
        if isProgressive { arguments.append("-progressive") }
        if isGrey { arguments.append("-grayscale") }
        if let restart { arguments += ["-restart", restart] }
        process.arguments = arguments + ["-outfile", file.path, source.path]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        try FileManager.default.removeItem(at: source)
        guard orientation != .upright else { return }
        try Data(contentsOf: file).withOrientation(UInt8(orientation.rawValue)).write(to: file)
    }

    func apply(to settings: inout ProcessingSettings) {
        (settings.width, settings.scale) = (Double(width), 1)
        (settings.cropRatio, settings.bannerSide, settings.quality) = (cropRatio, 32, 95)
    }
}

extension VipsFixture {
    /// Waves of different lengths in each channel, in which a displacement shows.
    static func waves(_ size: PixelSize) throws -> VipsImage {
        let samples = SamplePixels.waves(width: size.width, height: size.height)
        return try .from(samples: samples, size: size, bands: 3)
            .applying("copy", ["interpretation": .name("srgb")])
    }
}

extension ProcessorFixture {
    /// Makes renditions with both engines and compares them.
    ///
    /// In the highest quality, because the engines have different quantisation tables.
    func compareEngines(
        _ name: String, least: Double, _ change: (inout ProcessingSettings) -> Void
    ) async throws {
        let rows = try await process(name, identifier: "rows") {
            change(&$0)
            $0.quality = 100
        }.manifest
        let vips = try await process(name, identifier: "libvips") {
            change(&$0)
            ($0.quality, $0.engine) = (100, .libvips)
        }.manifest
        #expect(rows.engine == "rows" && vips.engine == "libvips")
        #expect(rows.rung == vips.rung || vips.rung == "file-backed")
        #expect(rows.contentSizeRatio == vips.contentSizeRatio)
        for role in [RenditionRole.expanded, .banner] {
            let (one, other) = (rows.rendition(role), vips.rendition(role))
            #expect(one?.size == other?.size && one?.type == other?.type)
            // Crops follow a map of attention, in which equal parts may differ by rounding.
            guard let crop = one?.crop, let expected = other?.crop else {
                let agreement = try picture(role, of: rows)
                    .agreement(with: picture(role, of: vips))
                #expect(agreement >= least, "\(role) \(agreement)")
                continue
            }
            #expect(crop.width == expected.width && crop.height == expected.height)
        }
    }

    /// Decodes a PNG by rows.
    func pngRows(_ name: String) throws -> (layout: RowLayout, samples: [UInt8]) {
        let file = try AttachmentFile(path: url(name).path)
        return try withExtendedLifetime(file) {
            let rows = try PNGRows(
                DecoderInput(
                    file, for: .rows, isTolerant: false, isPreview: false,
                    requestedSize: PixelSize(width: 1, height: 1), loadShrink: 1, scratch: nil,
                    isCancelled: { false }))
            let rowBytes = rows.layout.rowBytes
            var samples = [UInt8](repeating: 0, count: rowBytes * rows.layout.height)
            try samples.withUnsafeMutableBytes { bytes in
                for y in 0..<rows.layout.height {
                    try rows.readRow(
                        into: .init(rebasing: bytes[(y * rowBytes)..<((y + 1) * rowBytes)]))
                }
            }
            return (rows.layout, samples)
        }
    }
}

extension VipsImage {
    /// The samples in native byte order.
    func rawSamples() throws -> [UInt8] {
        var bytes: [UInt8] = []
        try forEachRow { bytes += $0 }
        return bytes
    }

    /// Peak signal-to-noise ratio, in decibels; 0 for different sizes or bands.
    func agreement(with other: VipsImage) throws -> Double {
        guard size == other.size, bands == other.bands else { return 0 }
        return SamplePixels.agreement(try visible(), try other.visible())
    }

    /// The samples, as they show.
    private func visible() throws -> [UInt8] {
        hasAlpha ? SamplePixels.weighted(try samples(), bands: bands) : try samples()
    }
}
