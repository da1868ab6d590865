import AttachmentContainer
import CSimilarity
import Testing

@testable import AttachmentPipeline

@Suite("Fitted chroma of inline pictures", .timeLimit(.minutes(1)))
struct FittedChromaTests {
    /// Planes of 4:4:4: patches of two colours, given as Y, Cb, Cr.
    private static func full(
        _ size: PixelSize, _ ground: [UInt8], _ patch: [UInt8]
    ) -> [[UInt8]] {
        (0..<3).map { plane in
            (0..<size.pixelCount).map { index in
                let (x, y) = (index % size.width, index / size.width)
                return (x / 7 + y / 5) % 3 == 0 ? patch[plane] : ground[plane]
            }
        }
    }

    /// Averages of two by two samples; an odd last column or row repeats.
    private static func halved(_ full: [[UInt8]], _ size: PixelSize) -> StillPlanes {
        let averages = full[1...].map { plane in
            stride(from: 0, to: size.height, by: 2).flatMap { y in
                stride(from: 0, to: size.width, by: 2).map { x in
                    let rows = [y, min(y + 1, size.height - 1)]
                    let sum = rows.reduce(0) { sum, row in
                        sum + Int(plane[row * size.width + x])
                            + Int(plane[row * size.width + min(x + 1, size.width - 1)])
                    }
                    return UInt8((sum + 2) / 4)
                }
            }
        }
        return StillPlanes(size, halvesChroma: true, samples: [full[0]] + averages)
    }

    /// A row of RGB, with chroma that is interpolated if it is halved.
    private static func row(_ y: Int, of planes: [[UInt8]], _ size: PixelSize) -> [UInt8] {
        let isHalved = planes[1].count < planes[0].count
        let (columns, rows) = ((size.width + 1) / 2, (size.height + 1) / 2)
        func near(_ place: Int, _ count: Int) -> (Int, Int) {
            (place / 2, min(max(place / 2 + (place % 2 == 0 ? -1 : 1), 0), count - 1))
        }
        func chroma(_ plane: Int, _ x: Int) -> Double {
            guard isHalved else { return Double(planes[plane][y * size.width + x]) - 128 }
            let ((left, right), (top, bottom)) = (near(x, columns), near(y, rows))
            func sample(_ x: Int, _ y: Int) -> Double { Double(planes[plane][y * columns + x]) }
            let upper = 0.75 * sample(left, top) + 0.25 * sample(right, top)
            let lower = 0.75 * sample(left, bottom) + 0.25 * sample(right, bottom)
            return 0.75 * upper + 0.25 * lower - 128
        }
        return (0..<size.width).flatMap { x in
            let luma = Double(planes[0][y * size.width + x])
            let (blue, red) = (chroma(1, x), chroma(2, x))
            // ITU-T T.871, section 7.
            let colours = [
                luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue,
            ]
            return colours.map { UInt8(min(max($0.rounded(), 0), 255)) }
        }
    }

    /// SSIMULACRA2 of planes against those of 4:4:4.
    private static func score(_ planes: StillPlanes, _ full: [[UInt8]]) throws -> Double {
        let size = planes.size
        let similarity = try #require(
            thimble_similarity_new(CInt(size.width), CInt(size.height), THIMBLE_SIMILARITY_BEST))
        defer { thimble_similarity_free(similarity) }
        for y in 0..<size.height {
            thimble_similarity_push(
                similarity, row(y, of: full, size), row(y, of: planes.samples, size))
        }
        return thimble_similarity_score(similarity)
    }

    @Test(
        "Edges of colour look more like 4:4:4 than averages do, also with odd sides",
        arguments: [PixelSize(width: 64, height: 48), PixelSize(width: 63, height: 47)])
    func edges(size: PixelSize) throws {
        // Navy beside gold, and green beside black.
        let pairs: [([UInt8], [UInt8])] = [
            ([40, 150, 118], [170, 60, 150]), ([90, 80, 70], [20, 128, 128]),
        ]
        for (ground, patch) in pairs {
            let full = Self.full(size, ground, patch)
            var planes = Self.halved(full, size)
            let before = try Self.score(planes, full)
            planes.fitHalvedChroma(to: full)
            let after = try Self.score(planes, full)
            #expect(after > before + 3, "\(ground), \(patch): \(before), \(after)")
        }
    }

    @Test(
        "Even pictures stay as they are",
        arguments: [[0, 128, 128], [255, 128, 128], [81, 90, 240]])
    func even(colour: [UInt8]) {
        let size = PixelSize(width: 9, height: 6)
        let full = Self.full(size, colour, colour)
        var planes = Self.halved(full, size)
        let before = planes.samples
        planes.fitHalvedChroma(to: full)
        for (one, other) in zip(before.joined(), planes.samples.joined()) {
            #expect(abs(Int(one) - Int(other)) <= 1)
        }
    }

    @Test("A picture of one pixel, row or column is fitted", arguments: [(1, 1), (1, 8), (8, 1)])
    func narrow(width: Int, height: Int) {
        let size = PixelSize(width: width, height: height)
        var planes = Self.halved(Self.full(size, [40, 150, 118], [170, 60, 150]), size)
        let counts = planes.samples.map(\.count)
        planes.fitHalvedChroma(to: Self.full(size, [40, 150, 118], [170, 60, 150]))
        #expect(planes.samples.map(\.count) == counts)
    }

    @Test("Few bytes leave luma as it is")
    func threshold() {
        let size = PixelSize(width: 180, height: 135)
        #expect(StillPlanes.affordsFitting(2400, of: size))
        #expect(!StillPlanes.affordsFitting(1200, of: size))
        #expect(StillPlanes.affordsFitting(1200, of: PixelSize(width: 90, height: 60)))
    }
}
