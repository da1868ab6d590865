import AttachmentFormats
import CWebP
import Testing

@Suite("Damaged lossy WebP", .timeLimit(.minutes(2)))
struct LossyWebPDamageTests {
    private static let width = 61
    private static let height = 83

    /// A file with 1, 2, 4 or 8 partitions.
    private func opaque(partitions: Int = 0) throws -> [UInt8] {
        let picture = WebPTestPicture.photograph.samples(
            width: Self.width, height: Self.height, bands: 3, seed: 1)
        return try PartitionedWebP.encode(picture, partitions: partitions)
    }

    private func transparent(_ reference: LossyWebPReference) throws -> [UInt8] {
        try reference.encode([
            .init(
                options: "-q 60 -alpha_method 0 -alpha_filter none", width: Self.width,
                height: Self.height, bands: 4)
        ])[0]
    }

    private func samples(_ file: [UInt8], isTolerant: Bool = false) throws -> WebPSamples {
        try WebPSamples(
            lossy: file, width: Self.width, height: Self.height, isTolerant: isTolerant)
    }

    private func fault(
        _ file: [UInt8], isTolerant: Bool = false, width: Int = width
    ) -> DecodingFault.Code? {
        do {
            _ = try WebPSamples(
                lossy: file, width: width, height: Self.height, isTolerant: isTolerant)
            return nil
        } catch {
            return (error as? DecodingFault)?.code
        }
    }

    /// Number of exact rows; all later rows must be zeros.
    private func intactRows(_ samples: WebPSamples, of whole: WebPSamples) -> Int {
        let rowBytes = whole.width * whole.bands
        func row(_ y: Int, of samples: WebPSamples) -> ArraySlice<UInt8> {
            samples.values[y * rowBytes..<(y + 1) * rowBytes]
        }
        let intact = (0..<whole.height).prefix { row($0, of: samples) == row($0, of: whole) }.count
        #expect(samples.values[(intact * rowBytes)...].allSatisfy { $0 == 0 })
        return intact
    }

    @Test(
        "Truncation is a fault, or gives exact rows and then zeros",
        arguments: [0, 1, 3])
    func truncated(partitions: Int) throws {
        let file = try opaque(partitions: partitions)
        let whole = try samples(file)
        var before = 0
        for length in stride(from: 0, to: file.count - 1, by: 7) {
            let cut = Array(file.prefix(length))
            #expect(fault(cut) == .truncated, "\(length) bytes")
            guard let rows = try? samples(cut, isTolerant: true) else {
                #expect(before == 0, "\(length) bytes")
                continue
            }
            let intact = intactRows(rows, of: whole)
            #expect(intact >= max(1, before), "\(length) bytes")
            before = intact
        }
        // If the last of eight partitions is empty, the first row needs all bytes.
        #expect(before > 32 || partitions == 3)
    }

    @Test("A truncated file gives libwebp's rows")
    func incremental() throws {
        let file = try opaque()
        for length in [file.count / 2, file.count * 3 / 4, file.count * 9 / 10, file.count] {
            let cut = Array(file.prefix(length))
            let reference = try Self.incrementally(decoded: cut)
            #expect(reference.contains { $0 != 0 })
            #expect(try samples(cut, isTolerant: true).values == reference)
        }
    }

    /// Output of libwebp for a file given at once, in zeroed memory.
    private static func incrementally(decoded file: [UInt8]) throws -> [UInt8] {
        var pixels = [UInt8](repeating: 0, count: 3 * width * height)
        try pixels.withUnsafeMutableBufferPointer { pixels in
            let decoder = try #require(
                WebPINewRGB(MODE_RGB, pixels.baseAddress, pixels.count, CInt(3 * width)))
            defer { WebPIDelete(decoder) }
            let status = WebPIAppend(decoder, file, file.count)
            #expect([VP8_STATUS_OK, VP8_STATUS_SUSPENDED].contains(status))
        }
        return pixels
    }

    @Test("A truncated alpha plane is a fault, or opaque from there on")
    func truncatedAlpha() throws {
        let file = try transparent(LossyWebPReference())
        let whole = try samples(file)
        let plane = try #require(WebPFileWriter.data("ALPH", of: file))
        let picture = try #require(WebPFileWriter.data("VP8 ", of: file))
        func cut(to count: Int) -> [UInt8] {
            WebPFileWriter.file(
                WebPFileWriter.features(0x10, width: Self.width, height: Self.height),
                WebPFileWriter.chunk("ALPH", Array(plane.prefix(count))),
                WebPFileWriter.chunk("VP8 ", picture))
        }
        for rowCount in [0, 1, 40] {
            let damaged = cut(to: 1 + Self.width * rowCount + 5)
            #expect(fault(damaged) == .truncated)
            let rows = try samples(damaged, isTolerant: true)
            try #require(rows.values.count == whole.values.count)
            for place in rows.values.indices {
                let isOpaque = place % 4 == 3 && place >= 4 * Self.width * rowCount
                #expect(rows.values[place] == (isOpaque ? 255 : whole.values[place]))
            }
        }
        // A missing alpha plane, and one without data.
        for damaged in [cut(to: 0), cut(to: 1)] {
            #expect(fault(damaged) == .truncated)
            let rows = try samples(damaged, isTolerant: true)
            #expect(rows.values.count == whole.values.count)
            #expect(rows.values.enumerated().allSatisfy { $0 % 4 != 3 || $1 == 255 })
        }
    }

    @Test("Where colours are missing, alpha is missing too")
    func truncatedColours() throws {
        let file = try transparent(LossyWebPReference())
        let rows = try samples(Array(file.dropLast(200)), isTolerant: true)
        let intact = intactRows(rows, of: try samples(file))
        #expect(1..<Self.height ~= intact)
    }

    @Test("Animations, lossless images and enlarging are unsupported")
    func refused() throws {
        let file = try opaque()
        let picture = WebPFileWriter.chunk(
            "VP8 ", try #require(WebPFileWriter.data("VP8 ", of: file)))
        func extended(_ flags: UInt8, width: Int) -> [UInt8] {
            WebPFileWriter.file(
                WebPFileWriter.features(flags, width: width, height: Self.height), picture)
        }
        #expect(fault(extended(0, width: Self.width)) == nil)
        #expect(fault(extended(0x02, width: Self.width)) == .unsupported)
        #expect(fault(extended(0, width: Self.width + 1)) == .corrupt)
        #expect(fault(file, width: Self.width + 1) == .unsupported)
        #expect(fault(file, width: 0) == .unsupported)
        let recipe = StreamWriter.Recipe(width: 5, height: 5)
        let lossless = WebPFileWriter.file(
            WebPFileWriter.chunk("VP8L", StreamWriter.picture(recipe, seed: 1)))
        #expect(fault(lossless) == .unsupported)
    }

    @Test("The profile is returned, and no rows follow the last")
    func profile() throws {
        let picture = try #require(WebPFileWriter.data("VP8 ", of: try opaque()))
        let profile = (0..<301).map { UInt8(truncatingIfNeeded: $0) }
        let file = WebPFileWriter.file(
            WebPFileWriter.features(0x20, width: Self.width, height: Self.height),
            WebPFileWriter.chunk("ICCP", profile), WebPFileWriter.chunk("VP8 ", picture))
        let held = try TemporaryBytes(file)
        let rows = try LossyWebPRows(
            held.openFile, width: 30, height: 40,
            scratch: .test, isTolerant: false)
        #expect(rows.profile == profile)
        #expect(rows.layout == RowLayout(width: 30, height: 40, bands: 3))
        _ = try WebPSamples(rows)
        #expect(throws: DecodingFault.self) { try WebPSamples(rows) }
    }

    @Test("Without scratch space a large image exceeds the ceiling and leaks nothing")
    func noScratch() throws {
        let picture = WebPTestPicture.flat.samples(width: 400, height: 300, bands: 3, seed: 1)
        let file = try PartitionedWebP.encode(picture, partitions: 0)
        let held = try TemporaryBytes(file)
        let scratch = ScratchSpace(folder: ScratchSpace.test.folder, ceiling: 200_000)
        func rows(_ width: Int, _ height: Int) throws(DecodingFault) -> LossyWebPRows {
            try LossyWebPRows(
                held.openFile, width: width, height: height,
                scratch: scratch, isTolerant: true)
        }
        #expect(throws: DecodingFault.self) { try rows(400, 300) }
        #expect(scratch.liveBytes == 0)
        _ = try WebPSamples(try rows(200, 150))
    }
}
