import AttachmentPipeline
import Randomness
import Testing

@Suite("Detail of chroma")
struct ChromaDetailTests {
    /// Colours at random places of a white row of 4,000 pixels, twice.
    private func detail(of colour: [UInt8], pixels: Int, noise: Int = 0) -> ChromaDetail {
        var random = SplitMix64(seed: 3)
        let width = 4_000
        var row = [UInt8](repeating: 255, count: 3 * width)
        if noise > 0 {
            for index in row.indices { row[index] = UInt8(200 + random.below(noise)) }
        }
        for number in 0..<pixels {
            let first = 3 * (number * width / pixels)
            row.replaceSubrange(first..<first + 3, with: colour)
        }
        var detail = ChromaDetail()
        (row + row).withUnsafeBufferPointer { detail.add($0, bands: 3) }
        return detail
    }

    @Test(
        "Sharp edges of chroma on flat areas count",
        arguments: [[255, 0, 0], [0, 0, 255], [0, 128, 0], [200, 30, 30]] as [[UInt8]], [1, 40])
    func sharp(colour: [UInt8], pixels: Int) {
        #expect(detail(of: colour, pixels: pixels).isSharp)
    }

    @Test("Grey and faint edges do not count, nor do edges among noise, nor a flat picture")
    func others() {
        #expect(!detail(of: [0, 0, 0], pixels: 40).isSharp)
        #expect(!detail(of: [255, 225, 225], pixels: 40).isSharp)
        #expect(!detail(of: [255, 0, 0], pixels: 40, noise: 20).isSharp)
        #expect(!detail(of: [255, 0, 0], pixels: 0).isSharp)
        #expect(!ChromaDetail().isSharp)
    }
}
