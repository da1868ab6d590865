import Foundation

/// Pixels of synthetic pictures, and their comparison.
///
/// They are here because tests are compiled without optimisation, in which such loops take seconds.
package enum SamplePixels {
    /// A gradient: red increases to the right, green downwards, blue against the diagonal.
    package static func gradient(
        width: Int, height: Int, alpha: ((_ column: Int, _ row: Int) -> UInt8)? = nil
    ) -> [UInt8] {
        let bands = alpha == nil ? 3 : 4
        var samples: [UInt8] = []
        samples.reserveCapacity(width * height * bands)
        for row in 0..<height {
            let down = row * 255 / max(1, height - 1)
            for column in 0..<width {
                let right = column * 255 / max(1, width - 1)
                samples.append(UInt8(right))
                samples.append(UInt8(down))
                samples.append(UInt8(255 - (right + down) / 2))
                if let alpha { samples.append(alpha(column, row)) }
            }
        }
        return samples
    }

    /// Waves of different lengths in each of three channels, in which a displacement shows.
    package static func waves(width: Int, height: Int) -> [UInt8] {
        var samples: [UInt8] = []
        samples.reserveCapacity(3 * width * height)
        for row in 0..<height {
            for column in 0..<width {
                let (x, y) = (Double(column), Double(row))
                samples.append(UInt8(128 + 55 * (sin(x / 17) + sin(y / 23))))
                samples.append(UInt8(128 + 55 * (sin((x + y) / 29) + sin(x / 41))))
                samples.append(UInt8(128 + 55 * (cos(y / 37) + cos((x - y) / 31))))
            }
        }
        return samples
    }

    /// The samples with colours weighted by alpha, the last band, because transparent pixels do not show.
    package static func weighted(_ samples: [UInt8], bands: Int) -> [UInt8] {
        var weighted = samples
        for pixel in stride(from: 0, to: samples.count, by: bands) {
            let alpha = Int(samples[pixel + bands - 1])
            for band in pixel..<(pixel + bands - 1) {
                weighted[band] = UInt8(Int(samples[band]) * alpha / 255)
            }
        }
        return weighted
    }

    /// Peak signal-to-noise ratio of two pictures of one size, in decibels; infinite if they are equal.
    package static func agreement(_ samples: [UInt8], _ others: [UInt8]) -> Double {
        precondition(samples.count == others.count)
        var squares = 0
        for index in samples.indices {
            let difference = Int(samples[index]) - Int(others[index])
            squares += difference * difference
        }
        guard squares > 0 else { return .infinity }
        return 10 * log10(255 * 255 * Double(samples.count) / Double(squares))
    }

    /// Largest difference of two samples at the same place.
    package static func largestDifference(_ samples: [UInt8], _ others: [UInt8]) -> Int {
        precondition(samples.count == others.count)
        var largest = 0
        for index in samples.indices {
            largest = max(largest, abs(Int(samples[index]) - Int(others[index])))
        }
        return largest
    }
}
