package import AttachmentModel

/// Tone mapping of interleaved pixels from PQ or HLG to 8-bit sRGB; alpha stays.
package final class ToneMappedPixels {
    private let mapping: ToneMapping
    private let bands: Int
    private let bytesPerSample: Int
    private var planes = [UInt16](repeating: 0, count: 3 * chunk)
    private var mapped = [UInt8](repeating: 0, count: 3 * chunk)

    /// Pixels per step: their planes fit the first-level cache.
    private static let chunk = 512

    /// Nil if the tags are neither PQ nor HLG; `bands` are grey or RGB, with or without alpha.
    package init?(from tags: ColourTags, bands: Int, bytesPerSample: Int) {
        guard let mapping = ToneMapping(from: tags, bitDepth: 8 * bytesPerSample) else {
            return nil
        }
        (self.mapping, self.bands, self.bytesPerSample) = (mapping, bands, bytesPerSample)
    }

    /// Maps as many pixels as `target` has room for, which may be `pixels` if these have a byte a sample.
    package func map(_ pixels: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
        let count = target.count / bands
        for start in stride(from: 0, to: count, by: Self.chunk) {
            map(start..<min(start + Self.chunk, count), of: pixels, to: target)
        }
    }

    private func map(
        _ columns: Range<Int>, of pixels: UnsafeRawBufferPointer,
        to target: UnsafeMutableRawBufferPointer
    ) {
        let colours = bands < 3 ? 1 : 3
        for (x, column) in columns.enumerated() {
            for colour in 0..<3 {
                let index = bands * column + (colours == 1 ? 0 : colour)
                planes[colour * Self.chunk + x] = sample(index, of: pixels)
            }
        }
        planes.withUnsafeMutableBufferPointer { planes in
            mapped.withUnsafeMutableBytes { mapped in
                // Neither array is empty; each has three planes of a chunk.
                guard let start = planes.baseAddress, let out = mapped.baseAddress else { return }
                mapping.map(
                    ColourPlanes(
                        red: start, green: start + Self.chunk, blue: start + 2 * Self.chunk),
                    columns.count, into: out)
            }
        }
        for (x, column) in columns.enumerated() {
            for colour in 0..<colours { target[bands * column + colour] = mapped[3 * x + colour] }
            guard bands > colours else { continue }
            let alpha = sample(bands * column + colours, of: pixels)
            target[bands * column + colours] = UInt8(bytesPerSample == 1 ? alpha : alpha >> 8)
        }
    }

    private func sample(_ index: Int, of pixels: UnsafeRawBufferPointer) -> UInt16 {
        bytesPerSample == 1
            ? UInt16(pixels[index])
            : pixels.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
    }
}
