import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import Testing

/// Turned files have the same bytes as files from `jpegtran`.
@Suite("Turned JPEG", .timeLimit(.minutes(3)))
struct TurnedJPEGTests {
    private let workshop: JPEGWorkshop

    /// Options of `jpegtran` for the orientations 2 to 8.
    private static let transforms: [(orientation: Orientation, option: String)] = [
        (.mirrored, "-flip horizontal"), (.rotated180, "-rotate 180"),
        (.flipped, "-flip vertical"), (.transposed, "-transpose"), (.rotated90, "-rotate 90"),
        (.transversed, "-transverse"), (.rotated270, "-rotate 270"),
    ]

    /// Options of `cjpeg`, with the unit's size.
    private static let samplings: [(options: String, width: Int, height: Int)] = [
        ("-sample 1x1", 8, 8), ("-sample 2x1", 16, 8), ("-sample 1x2", 8, 16),
        ("-sample 2x2", 16, 16), ("-sample 4x1", 32, 8), ("-grayscale", 8, 8),
        // Chroma of different sizes.
        ("-sample 2x2,1x2,2x1", 16, 16),
    ]

    private static let codings = ["", "-progressive", "-optimize -restart 1B"]

    init() throws { workshop = try JPEGWorkshop() }

    private func turned(
        _ bytes: [UInt8], _ orientation: Orientation, ceiling: Int = 1 << 20,
        scratch: ScratchSpace? = nil, chunk: Int = 4096
    ) throws -> [UInt8] {
        let file = try TemporaryBytes(bytes)
        return try readAll(
            TurnedJPEGStream(
                file.openFile, orientation, ceiling: ceiling, scratch: scratch,
                isCancelled: { false }), chunk: chunk)
    }

    @Test("Every orientation, sampling and coding gives jpegtran's file", arguments: codings)
    func exactness(coding: String) throws {
        // Whole units in both directions, in one, and in none.
        let sizes = [(96, 64), (96, 59), (83, 64), (83, 59)]
        var commands: [String] = []
        for (width, height) in sizes {
            try workshop.makePicture("\(width)x\(height)", width: width, height: height, bands: 3)
            for sampling in Self.samplings {
                let file = "\(width)x\(height) \(sampling.options).jpg"
                commands.append(
                    "cjpeg -quality 70 \(sampling.options) \(coding) -outfile '\(file)' "
                        + "\(width)x\(height)")
                for transform in Self.transforms {
                    commands.append(
                        "jpegtran -copy none -optimize -perfect \(transform.option) "
                            + "-outfile '\(transform.option) \(file)' '\(file)' || "
                            + "rm -f '\(transform.option) \(file)'")
                }
            }
        }
        try workshop.shell(commands)
        var (exact, refused) = (0, 0)
        for (width, height) in sizes {
            for sampling in Self.samplings {
                let file = "\(width)x\(height) \(sampling.options).jpg"
                let bytes = try workshop.read(file)
                for transform in Self.transforms {
                    let mirrors = transform.orientation.reversals
                    let isWhole =
                        (!mirrors.across || width % sampling.width == 0)
                        && (!mirrors.down || height % sampling.height == 0)
                    let expected = try? workshop.read("\(transform.option) \(file)")
                    #expect(isWhole == (expected != nil), "\(transform.option) \(file)")
                    guard let expected else {
                        let fault = #expect(throws: DecodingFault.self) {
                            try turned(bytes, transform.orientation)
                        }
                        #expect(fault?.code == .unsupported)
                        refused += 1
                        continue
                    }
                    #expect(
                        try turned(bytes, transform.orientation) == expected,
                        "\(transform.option) \(file)")
                    exact += 1
                }
            }
        }
        #expect(exact > 90 && refused > 60)
    }

    @Test("Wide tables, scratch files and small reads change nothing", arguments: [1, 7, 300])
    func places(chunk: Int) throws {
        try workshop.makePicture("picture", width: 320, height: 240, bands: 3)
        try workshop.shell([
            "cjpeg -quality 3 -outfile in.jpg picture",
            "jpegtran -copy none -optimize -perfect -rotate 90 -outfile out.jpg in.jpg",
        ])
        let bytes = try workshop.read("in.jpg")
        let scratch = ScratchSpace(folder: "/var/tmp", ceiling: 1 << 20)
        let expected = try workshop.read("out.jpg")
        #expect(try turned(bytes, .rotated90, scratch: scratch, chunk: chunk) == expected)
        #expect(scratch.liveBytes == 0)
        // 4:2:0 of 320 × 240: 1.5 samples a pixel, two bytes each.
        #expect(try turned(bytes, .rotated90, ceiling: 230_400) == expected)
        let fault = #expect(throws: DecodingFault.self) {
            try turned(bytes, .rotated90, ceiling: 230_399)
        }
        #expect(fault?.code == .limit)
    }

    @Test("The planner's demand is nil where turning is refused, and else the coefficients' bytes")
    func demand() {
        var header = AttachmentHeader(
            JPEGCoding(.baseline), storedSize: PixelSize(width: 320, height: 248),
            orientation: .rotated270, colourModel: .rgb, fileBytes: ByteCount(1))
        // 40 × 31 blocks of luma, twice 20 × 16 of chroma.
        #expect(header.coding.turning(of: header)?.held == 240_640.0)
        header.orientation = .rotated90
        #expect(header.coding.turning(of: header) == nil)
        header.orientation = .upright
        #expect(header.coding.turning(of: header) == nil)
        header.orientation = .transposed
        #expect(header.coding.turning(of: header) != nil)
        let baseline = header.coding.turning(of: header)?.working ?? 0
        header.coding = JPEGCoding(.progressive)
        #expect(header.coding.turning(of: header)?.working ?? 0 > baseline)
        header.bitsPerSample = 12
        #expect(header.coding.turning(of: header) == nil)
        header.bitsPerSample = 8
        header.coding = JPEGCoding(.arithmetic)
        #expect(header.coding.turning(of: header) == nil)
        header.coding = JPEGCoding(
            .baseline, JPEGSampling([.init(1, 1), .init(1, 1), .init(1, 1)], isYCbCr: false))
        #expect(header.coding.turning(of: header) == nil)
    }

    @Test("Truncation at any byte is a fault", arguments: ["", "-progressive"])
    func truncated(coding: String) throws {
        try workshop.makePicture("picture", width: 48, height: 32, bands: 3)
        try workshop.shell(["cjpeg -quality 40 \(coding) -outfile in.jpg picture"])
        let bytes = try workshop.read("in.jpg")
        // A baseline file is read up to the end of its scan: the end of the image may be missing.
        for length in 0..<bytes.count - 2 {
            let fault = #expect(throws: DecodingFault.self) {
                try turned(Array(bytes[..<length]), .rotated90)
            }
            #expect([.truncated, .corrupt].contains(fault?.code))
        }
    }

    @Test("Changed bytes give a fault or a whole file that jpegtran reads without a warning")
    func changed() throws {
        try workshop.makePicture("picture", width: 48, height: 32, bands: 3)
        try workshop.shell(["cjpeg -quality 40 -outfile in.jpg picture"])
        let bytes = try workshop.read("in.jpg")
        var random = SplitMix64(seed: 5)
        var names: [String] = []
        for number in 0..<400 {
            var damaged = bytes
            damaged[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
            let orientation = Self.transforms[number % 7].orientation
            guard let file = try? turned(damaged, orientation) else { continue }
            try workshop.write(file, to: "\(number).jpg")
            names.append("\(number).jpg")
        }
        let warnings = try workshop.run(
            "/bin/sh", [],
            input: names.map { "djpeg -outfile pixels \($0) 2>&1" }.joined(separator: "\n") + "\n")
        #expect(warnings == "")
        #expect(names.count > 20 && names.count < 390)
    }

    @Test("A cancelled turn is a fault")
    func cancelled() throws {
        try workshop.makePicture("picture", width: 48, height: 32, bands: 3)
        try workshop.shell(["cjpeg -outfile in.jpg picture"])
        let file = try TemporaryBytes(try workshop.read("in.jpg"))
        for calls in 0..<4 {
            var left = calls
            let fault = #expect(throws: DecodingFault.self) {
                try TurnedJPEGStream(
                    file.openFile, .mirrored, ceiling: 1 << 20, scratch: nil,
                    isCancelled: {
                        left -= 1
                        return left < 0
                    })
            }
            #expect(fault?.code == .cancelled)
        }
    }
}
