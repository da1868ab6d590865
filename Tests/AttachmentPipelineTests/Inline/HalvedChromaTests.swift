import AttachmentContainer
import Testing

@testable import AttachmentPipeline

@Suite("Halved chroma of inline pictures", .timeLimit(.minutes(1)))
struct HalvedChromaTests {
    private let size = PixelSize(width: 37, height: 22)

    private func plane(_ sample: (_ x: Int, _ y: Int) -> Int) -> [UInt8] {
        (0..<size.height).flatMap { y in (0..<size.width).map { x in UInt8(sample(x, y)) } }
    }

    private var halved: PixelSize {
        PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
    }

    /// A sample of the plane that a decoder interpolates, with the weights 3/4 and 1/4.
    private func interpolated(_ samples: [UInt8], _ x: Int, _ y: Int) -> Double {
        func near(_ place: Int, _ count: Int) -> (own: Int, other: Int) {
            let other = place / 2 + (place % 2 == 0 ? -1 : 1)
            return (place / 2, min(max(other, 0), count - 1))
        }
        let (columns, rows) = (near(x, halved.width), near(y, halved.height))
        func row(_ y: Int) -> Double {
            0.75 * Double(samples[y * halved.width + columns.own])
                + 0.25 * Double(samples[y * halved.width + columns.other])
        }
        return 0.75 * row(rows.own) + 0.25 * row(rows.other)
    }

    private func squaredError(_ samples: [UInt8], _ plane: [UInt8]) -> Double {
        var sum = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let error = interpolated(samples, x, y) - Double(plane[y * size.width + x])
                sum += error * error
            }
        }
        return sum
    }

    @Test("Even chroma stays as it is, in its corners too", arguments: [0, 1, 128, 255])
    func even(value: Int) {
        let samples = HalvedChroma(plane { _, _ in value }, of: size).samples
        #expect(samples == [UInt8](repeating: UInt8(value), count: halved.pixelCount))
    }

    @Test("An interpolating decoder gets closer to an edge than from averages")
    func edges() {
        let patch = plane { x, y in (10..<20).contains(x) && (6..<14).contains(y) ? 220 : 60 }
        let samples = HalvedChroma(patch, of: size).samples
        #expect(samples.count == halved.pixelCount)
        // The patch begins and ends at even places, so averages are its own samples.
        let averages = (0..<halved.height).flatMap { y in
            (0..<halved.width).map { x in patch[2 * y * size.width + 2 * x] }
        }
        #expect(squaredError(samples, patch) < 0.85 * squaredError(averages, patch))
    }

    @Test("Sharpening beyond the range of a sample is cut off")
    func range() {
        let edge = plane { x, _ in x < 18 ? 0 : 255 }
        let samples = HalvedChroma(edge, of: size).samples
        #expect(samples.min() == 0 && samples.max() == 255)
        #expect(Set(samples) == [0, 255])
    }
}
