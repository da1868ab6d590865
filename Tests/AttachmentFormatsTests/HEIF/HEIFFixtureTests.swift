import AttachmentFormats
import Foundation
import SampleMedia
import Testing

/// Regression tests: files that earlier decoders got wrong.
@Suite("HEIF fixtures", .timeLimit(.minutes(1)))
struct HEIFFixtureTests {
    private static let references = [
        HEIFReferencePicture("0180-clap8.heic", 41, 31, [125.14, 126.95, 125.42]),
        HEIFReferencePicture("0183-irot1clap8.heic", 41, 31, [124.61, 116.47, 124.71]),
        HEIFReferencePicture(
            "0283-grid1x5-t72x40-72x195-444b10-imir-fl0.heic", 72, 195, [124.95, 128.92, 125.99]),
        HEIFReferencePicture(
            "0288-grid5x5-t72x40-360x199-420b10-clap-fl0.heic", 180, 99, [135.61, 143.34, 144.54]),
        HEIFReferencePicture(
            "0299-grid5x1-t32x64-160x2-420b8-irotimir-fl0.heic", 160, 2, [122.15, 91.04, 174.02]),
        HEIFReferencePicture(
            "0304-grid2x4-t72x40-74x160-420b8-imir-fl0.heic", 74, 160, [133.19, 124.23, 134.27]),
        HEIFReferencePicture(
            "0244-alpha64b8-irotbothpm.heic", 64, 128, [201.65, 206.00, 202.15, 123.57]),
        HEIFReferencePicture(
            "0272-alpha64b10-irotbothpm.heic", 64, 128, [189.79, 188.12, 189.16, 144.46]),
        HEIFReferencePicture(
            "0279-alpha64b10-clapboth.heic", 40, 30, [123.77, 125.92, 124.43, 135.16]),
        HEIFReferencePicture("0070-cicp1_13_0lim.avif", 50, 40, [126.81, 127.05, 126.11]),
        HEIFReferencePicture("lim10.avif", 64, 64, [127.49]),
        HEIFReferencePicture("0038-y400d8limited-79x30.avif", 79, 30, [113.34]),
        HEIFReferencePicture("0043-y400d10limitedA-79x88.avif", 79, 88, [126.43, 127.17]),
        HEIFReferencePicture("0197-iovl2.heic", 80, 60, [125.01, 125.86, 124.24]),
    ]

    @Test("Pictures are those of libheif 1.23 and libavif 1.4", arguments: references)
    func pictures(_ picture: HEIFReferencePicture) throws {
        let sample = try Self.sample(picture.name)
        #expect(sample.layout.width == picture.width && sample.layout.height == picture.height)
        #expect(sample.layout.bands == picture.means.count)
        for (mean, expected) in zip(sample.means, picture.means) {
            #expect(abs(mean - expected) < 1.5, "\(sample.means)")
        }
    }

    @Test(
        "Overlays with offsets outside of the canvas show its colour, deterministically",
        arguments: [
            ("x-alpha0neg.avif", -10, -5), ("11-600x400-5.-1.avif", 5, -1),
        ])
    func overlays(name: String, x: Int, y: Int) throws {
        let sample = try Self.sample(name)
        #expect(sample.layout.width == 600 && sample.layout.height == 400)
        for row in 0..<400 {
            for column in 0..<600 where !(x..<x + 64 ~= column && y..<y + 64 ~= row) {
                let start = (row * 600 + column) * 3
                guard Array(sample.rows[start..<start + 3]) != [255, 0, 0] else { continue }
                Issue.record("\(column), \(row): \(sample.rows[start..<start + 3])")
                return
            }
        }
        for _ in 0..<9 { #expect(try Self.sample(name).rows == sample.rows) }
    }

    @Test(
        "Frames that differ in size from their items, and apertures beyond them, are rejected",
        arguments: [
            ("avif-cap-breach.avif", DecodingFault.Code.corrupt),
            ("0189-ispesmall.heic", .corrupt),
            ("0436-alpha32b8-clapbothpm.avif", .unsupported),
        ])
    func refusals(name: String, code: DecodingFault.Code) {
        let fault = #expect(throws: DecodingFault.self) { try Self.sample(name) }
        #expect(fault?.code == code)
    }

    private static func sample(_ name: String) throws -> HEIFSample {
        let scratch = ScratchSpace(folder: "/var/tmp", ceiling: 16 << 20)
        return try HEIFSample(ForeignFile.heif(name).path, scratch: scratch)
    }
}

extension HEIFSample {
    /// Mean of each band, in 8 bits.
    fileprivate var means: [Double] {
        var sums = Array(repeating: 0.0, count: layout.bands)
        let size = layout.bytesPerSample
        for pixel in 0..<layout.width * layout.height {
            for band in 0..<layout.bands {
                let place = (pixel * layout.bands + band) * size
                sums[band] +=
                    size == 1
                    ? Double(rows[place])
                    : Double(UInt16(rows[place]) | UInt16(rows[place + 1]) << 8) / 257
            }
        }
        return sums.map { $0 / Double(layout.width * layout.height) }
    }
}

struct HEIFReferencePicture: Sendable, CustomTestStringConvertible {
    var name: String
    var width: Int
    var height: Int
    /// Mean of each band in 8 bits, by libheif 1.23 or libavif 1.4.
    var means: [Double]

    init(_ name: String, _ width: Int, _ height: Int, _ means: [Double]) {
        (self.name, self.width, self.height, self.means) = (name, width, height, means)
    }

    var testDescription: String { name }
}
