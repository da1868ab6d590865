import CSimilarity
import Testing

/// Kinds of distortion.
enum Loss: CaseIterable {
    case coarse
    case noisy
    case shifted
    case blocks
}

/// An RGB picture of gradients, texture and a checked disc, with the samples of `write_scores.py`.
struct SampleRows {
    let width: Int
    let height: Int
    private var samples: [UInt8]

    init(_ width: Int, _ height: Int) {
        (self.width, self.height) = (width, height)
        samples = []
        let radius = min(width, height) * 3 / 4
        for y in 0..<height {
            for x in 0..<width {
                let texture = (x * 73 + y * 151 + x * y * 7) % 41
                let (across, down) = (2 * x - width, 2 * y - height)
                if across * across + down * down < radius * radius {
                    let level: UInt8 = (x / 4 + y / 4) % 2 == 0 ? 20 : 230
                    samples += [level, level, level]
                } else {
                    let red = 255 * x / max(1, width - 1) * 3 / 4 + texture
                    let green = 255 * y / max(1, height - 1) * 3 / 4 + texture
                    samples += [red, green, (x * 5 + y * 3) % 256].map { UInt8(clamping: $0) }
                }
            }
        }
    }

    func row(_ y: Int) -> [UInt8] { Array(samples[3 * width * y..<3 * width * (y + 1)]) }

    func distorted(by loss: Loss) -> SampleRows {
        var result = self
        for y in 0..<height {
            for x in 0..<width {
                for band in 0..<3 {
                    let own = Int(self[x, y, band])
                    result.samples[(y * width + x) * 3 + band] =
                        switch loss {
                        case .coarse: UInt8(clamping: own / 24 * 24 + 12)
                        case .noisy: UInt8(clamping: own + (x * 37 + y * 101) % 17 - 8)
                        case .shifted: self[min(x + 1, width - 1), y, band]
                        case .blocks: self[x / 4 * 4, y / 4 * 4, band]
                        }
                }
            }
        }
        return result
    }

    private subscript(x: Int, y: Int, band: Int) -> UInt8 { samples[(y * width + x) * 3 + band] }

    func score(
        _ other: SampleRows, _ vectors: thimble_similarity_vectors = THIMBLE_SIMILARITY_BEST
    ) throws -> Double {
        let similarity = try #require(
            thimble_similarity_new(CInt(width), CInt(height), vectors))
        defer { thimble_similarity_free(similarity) }
        for y in 0..<height { thimble_similarity_push(similarity, row(y), other.row(y)) }
        return thimble_similarity_score(similarity)
    }
}
