package import AttachmentModel

/// Tone mapping of RGBA pixels of a byte a sample from PQ or HLG to sRGB, in place; alpha stays.
package final class ToneMappedPixels {
    private let mapping: ToneMapping
    private var planes = [UInt8](repeating: 0, count: 3 * chunk)
    private var mapped = [UInt8](repeating: 0, count: 3 * chunk)

    /// Pixels per step: their planes fit the first-level cache.
    private static let chunk = 512
    private static let pixelBytes = 4

    /// Nil if the tags are neither PQ nor HLG.
    package init?(from tags: ColourTags) {
        guard let mapping = ToneMapping(from: tags, bitDepth: 8) else { return nil }
        self.mapping = mapping
    }

    package func map(_ pixels: UnsafeMutableRawBufferPointer) {
        let count = pixels.count / Self.pixelBytes
        for start in stride(from: 0, to: count, by: Self.chunk) {
            let end = min(start + Self.chunk, count)
            map(
                UnsafeMutableRawBufferPointer(
                    rebasing: pixels[start * Self.pixelBytes..<end * Self.pixelBytes]),
                count: end - start)
        }
    }

    private func map(_ pixels: UnsafeMutableRawBufferPointer, count: Int) {
        planes.withUnsafeMutableBufferPointer { planes in
            for x in 0..<count {
                for colour in 0..<3 {
                    planes[colour * Self.chunk + x] = pixels[Self.pixelBytes * x + colour]
                }
            }
            mapped.withUnsafeMutableBytes { mapped in
                // Neither array is empty.
                guard let start = planes.baseAddress, let out = mapped.baseAddress else { return }
                mapping.map(
                    ColourPlanes(
                        red: start, green: start + Self.chunk, blue: start + 2 * Self.chunk),
                    count, into: out)
            }
        }
        for x in 0..<count {
            for colour in 0..<3 { pixels[Self.pixelBytes * x + colour] = mapped[3 * x + colour] }
        }
    }
}
