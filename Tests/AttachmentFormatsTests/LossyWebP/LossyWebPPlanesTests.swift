import CWebP
import Testing

@testable import AttachmentFormats

@Suite("Planes of lossy WebP", .timeLimit(.minutes(2)))
struct LossyWebPPlanesTests {
    @Test(
        "Planes are libwebp's in full range, at every divisor",
        arguments: [(64, 48), (61, 83), (1, 1), (333, 2), (130, 97), (800, 600)], [1, 2, 4, 8])
    func exactness(size: (width: Int, height: Int), loadShrink: Int) throws {
        let file = try encoded(size.width, size.height)
        let planes = try read(file, loadShrink: loadShrink)
        let expected = try libwebpPlanes(
            file, width: (size.width + loadShrink - 1) / loadShrink,
            height: (size.height + loadShrink - 1) / loadShrink)
        for (plane, samples) in expected.enumerated() {
            try #require(planes[plane].count == samples.count)
            let (black, range) = plane == 0 ? (16.0, 219.0) : (16.0, 224.0)
            let differences = zip(planes[plane], samples).map { found, sample in
                let exact = (Double(sample) - black) * 255 / range + (plane == 0 ? 0 : 0.5)
                return abs(Double(found) - min(255, max(0, exact)))
            }
            #expect(differences.max() ?? 0 <= 0.7, "plane \(plane)")
        }
    }

    @Test("Neutral grey, black and white keep their meaning")
    func range() {
        let source: [UInt8] = [0, 16, 128, 235, 240, 255]
        var expanded = [[UInt8]](repeating: Array(repeating: 1, count: source.count), count: 2)
        source.withUnsafeBytes { source in
            expanded[0].withUnsafeMutableBytes { VideoRange.expandLuma(source, to: $0) }
            expanded[1].withUnsafeMutableBytes { VideoRange.expandChroma(source, to: $0) }
        }
        #expect(expanded == [[0, 0, 130, 255, 255, 255], [1, 1, 128, 250, 255, 255]])
    }

    @Test("Chroma of an odd side ends inside its last sample")
    func covered() throws {
        let planes = try open(encoded(61, 83), loadShrink: 1, .test).planes
        #expect(planes.map(\.width) == [61, 31, 31] && planes.map(\.height) == [83, 42, 42])
        #expect(planes.map(\.coveredWidth) == [61, 30.5, 30.5])
        #expect(planes.map(\.coveredHeight) == [83, 41.5, 41.5])
        let reduced = try open(encoded(61, 83), loadShrink: 2, .test).planes
        #expect(reduced.map(\.width) == [31, 16, 16])
        #expect(abs(reduced[1].coveredWidth - 16 * 30.5 / 31) < 1e-9)
    }

    @Test("A truncated image is a fault, or black from there on", arguments: [1, 2])
    func truncation(loadShrink: Int) throws {
        let file = try encoded(160, 240)
        let whole = try read(file, loadShrink: loadShrink)
        var outcomes: Set<Int> = []
        for length in [file.count / 3, file.count / 2, file.count * 9 / 10] {
            let cut = Array(file.prefix(length))
            let fault = #expect(throws: DecodingFault.self) {
                try read(cut, loadShrink: loadShrink)
            }
            #expect(fault?.code == .truncated)
            let planes = try read(cut, loadShrink: loadShrink, isTolerant: true)
            for plane in planes.indices {
                try #require(planes[plane].count == whole[plane].count)
                let intact = zip(planes[plane], whole[plane]).prefix { $0 == $1 }.count
                let black: UInt8 = plane == 0 ? 0 : 128
                let width = (plane == 0 ? 160 : 80) / loadShrink
                // Samples that are black by themselves count as intact.
                #expect(
                    planes[plane][(intact / width * width + width)...].allSatisfy { $0 == black })
                outcomes.insert(intact / width)
            }
        }
        #expect(outcomes.count > 2)
    }

    @Test("Rows of which a few bytes code many are libwebp's")
    func manyRowsAtOnce() throws {
        let (width, height) = (320, 1200)
        var pixels = WebPTestPicture.photograph.samples(
            width: width, height: height, bands: 3, seed: 3
        ).values
        // Most of the picture has one colour, above and below the rest.
        for index in 0..<pixels.count where !(3 * width * 600..<3 * width * 664 ~= index) {
            pixels[index] = 120
        }
        let picture = WebPSamples(width: width, height: height, bands: 3, values: pixels)
        let file = try PartitionedWebP.encode(picture, partitions: 0)
        let expected = try libwebpPlanes(file, width: width, height: height)
        let planes = try read(file, loadShrink: 1)
        for (plane, samples) in expected.enumerated() {
            #expect(planes[plane] == fullRange(samples, ofPlane: plane), "plane \(plane)")
        }
    }

    @Test(
        "Samples beside alpha are libwebp's; chroma has the mean alpha of four pixels",
        arguments: [(47, 35), (64, 48), (5, 9), (320, 241)])
    func alpha(size: (width: Int, height: Int)) throws {
        let (width, height) = size
        let made = LossyWebPReference.Case(
            options: "-q 90 -alpha_q 100", width: width, height: height, bands: 4)
        let file = try LossyWebPReference().encode([made])[0]
        let rows = try WebPSamples(lossy: file, width: width, height: height)
        try #require(rows.bands == 4)
        let beside = stride(from: 3, to: rows.values.count, by: 4).map { rows.values[$0] }
        let expected = try libwebpPlanes(file, width: width, height: height)
        let planes = try read(file, loadShrink: 1)
        for (plane, samples) in expected.enumerated() {
            let found = planes[plane]
            try #require(found.count == 2 * samples.count)
            let columns = plane == 0 ? width : (width + 1) / 2
            for (index, sample) in fullRange(samples, ofPlane: plane).enumerated() {
                try #require(found[2 * index] == sample, "plane \(plane), sample \(index)")
                let (x, y) = (index % columns, index / columns)
                let mean =
                    plane == 0
                    ? Int(beside[index])
                    : ([0, 1].flatMap { row in
                        [0, 1].map { column in
                            let pixel = (
                                min(2 * x + column, width - 1), min(2 * y + row, height - 1)
                            )
                            return Int(beside[pixel.1 * width + pixel.0])
                        }
                    }.reduce(0, +) + 2) / 4
                try #require(Int(found[2 * index + 1]) == mean, "plane \(plane), sample \(index)")
            }
        }
    }

    @Test("A truncated image beside alpha is transparent from there on")
    func truncationBesideAlpha() throws {
        let made = LossyWebPReference.Case(
            options: "-q 90", width: 160, height: 240, bands: 4)
        let file = try LossyWebPReference().encode([made])[0]
        let cut = Array(file.prefix(file.count * 2 / 3))
        #expect(throws: DecodingFault.self) { try read(cut, loadShrink: 1) }
        let planes = try read(cut, loadShrink: 1, isTolerant: true)
        let whole = try read(file, loadShrink: 1)
        #expect(planes.map(\.count) == whole.map(\.count))
        #expect(planes.allSatisfy { $0.suffix(160).allSatisfy { $0 == 0 } })
        #expect(planes[0].prefix(320) == whole[0].prefix(320))
    }

    @Test("Lossless images have no planes")
    func others() throws {
        let lossless = WebPFileWriter.file(
            WebPFileWriter.chunk(
                "VP8L", StreamWriter.picture(StreamWriter.Recipe(width: 5, height: 5), seed: 1)))
        let fault = #expect(throws: DecodingFault.self) { try read(lossless, loadShrink: 1) }
        #expect(fault?.code == .unsupported)
    }

    @Test(
        "A thread for the loop filter changes no sample, nor what is read of a damaged file",
        arguments: [511, 512, 700], [1, 2])
    func filterThread(width: Int, loadShrink: Int) throws {
        let file = try encoded(width, 400)
        let alone = try read(file, loadShrink: loadShrink)
        #expect(try read(file, loadShrink: loadShrink, threads: 2) == alone)
        for share in [3, 2] {
            let part = Array(file.prefix(file.count - file.count / share))
            let left = try read(part, loadShrink: loadShrink, isTolerant: true)
            for _ in 0..<5 {
                let pair = try read(part, loadShrink: loadShrink, isTolerant: true, threads: 2)
                #expect(pair == left)
            }
        }
    }

    private func encoded(_ width: Int, _ height: Int) throws -> [UInt8] {
        let picture = WebPTestPicture.photograph.samples(
            width: width, height: height, bands: 3, seed: 3)
        return try PartitionedWebP.encode(picture, partitions: 0)
    }

    private func open(
        _ file: [UInt8], loadShrink: Int, _ scratch: ScratchSpace, isTolerant: Bool = false
    ) throws -> LossyWebPPlanes {
        let held = try TemporaryBytes(file)
        return try LossyWebPPlanes(
            held.openFile, loadShrink: loadShrink, scratch: scratch, isTolerant: isTolerant)
    }

    /// All samples of each plane, with their alpha.
    private func read(
        _ file: [UInt8], loadShrink: Int, isTolerant: Bool = false, threads: Int = 1
    ) throws -> [[UInt8]] {
        let held = try TemporaryBytes(file)
        let scratch = ScratchSpace.test
        var samples: [[UInt8]] = [[], [], []]
        do {
            let planes = try LossyWebPPlanes(
                held.openFile, loadShrink: loadShrink, scratch: scratch,
                isTolerant: isTolerant, threads: threads)
            var isMore = true
            while isMore {
                var lumaRows = 0
                isMore = try planes.next { plane, row in
                    lumaRows += plane == 0 ? 1 : 0
                    samples[plane] += UnsafeRawBufferPointer(
                        start: row,
                        count: (planes.hasAlpha ? 2 : 1) * planes.planes[plane].width)
                }
                // A caller may hold the rows of a call.
                #expect(lumaRows <= 2)
            }
        }
        #expect(scratch.liveBytes == 0)
        return samples
    }

    private func fullRange(_ samples: [UInt8], ofPlane plane: Int) -> [UInt8] {
        var expanded = [UInt8](repeating: 0, count: samples.count)
        samples.withUnsafeBytes { samples in
            expanded.withUnsafeMutableBytes { target in
                if plane == 0 {
                    VideoRange.expandLuma(samples, to: target)
                } else {
                    VideoRange.expandChroma(samples, to: target)
                }
            }
        }
        return expanded
    }

    private func libwebpPlanes(
        _ file: [UInt8], width: Int, height: Int
    ) throws -> [[UInt8]] {
        var configuration = WebPDecoderConfig()
        try #require(WebPInitDecoderConfig(&configuration) != 0)
        configuration.output.colorspace = MODE_YUV
        configuration.options.use_scaling = 1
        configuration.options.scaled_width = CInt(width)
        configuration.options.scaled_height = CInt(height)
        try #require(WebPDecode(file, file.count, &configuration) == VP8_STATUS_OK)
        defer { WebPFreeDecBuffer(&configuration.output) }
        let yuv = configuration.output.u.YUVA
        let (chromaWidth, chromaHeight) = ((width + 1) / 2, (height + 1) / 2)
        return [
            (yuv.y, yuv.y_stride, width, height), (yuv.u, yuv.u_stride, chromaWidth, chromaHeight),
            (yuv.v, yuv.v_stride, chromaWidth, chromaHeight),
        ].map { start, stride, width, height in
            (0..<height).flatMap { y in
                Array(UnsafeBufferPointer(start: start.map { $0 + y * Int(stride) }, count: width))
            }
        }
    }
}
