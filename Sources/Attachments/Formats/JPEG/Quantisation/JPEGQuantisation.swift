package import AttachmentModel

/// Families of quantisation tables by the quality that they are made for.
///
/// A quality gives about the same SSIMULACRA2 score in every family.
package enum JPEGQuantisation: Sendable, Hashable, CaseIterable {
    /// Tables of T.81, K.1, scaled as libjpeg does, for rounding to the nearest multiple.
    case standard
    /// Tables of our own, for rounding with a threshold that rises with the frequency.
    case perceptual
    /// The same tables, scaled for rounding by rate and distortion.
    case byRate

    /// Quantisation tables for a quality; no step falls as the quality falls.
    ///
    /// - Parameter quality: 1 to 100.
    /// - Returns: Steps of luma and chroma, row by row, each 64 from 1 to 255.
    package func tables(quality: Int) -> (luma: [UInt8], chroma: [UInt8]) {
        let scale = scale(quality: quality)
        guard self != .standard else {
            let scaled = { (step: Int) in Self.step(step, scale, in: 100) }
            return (Self.standardLuma.map(scaled), Self.standardChroma.map(scaled))
        }
        let scaled = { (step: Int) in Self.step(step, scale, in: Self.perceptualUnit) }
        return (Self.perceptualLuma.map(scaled), Self.perceptualChroma.map(scaled))
    }

    /// Scale of the family's tables: for `standard` in percent, for the others in 1/100,000.
    private func scale(quality: Int) -> Int {
        let percent = Self.percent(of: quality)
        return switch self {
        case .standard: percent
        case .perceptual: percent * Self.perceptualScale[quality]
        case .byRate: percent * Self.byRateScale[quality]
        }
    }

    /// A step of baseline JPEG (`jpeg_add_quant_table` of libjpeg).
    private static func step(_ value: Int, _ scale: Int, in unit: Int) -> UInt8 {
        UInt8(max(1, min(255, (value * scale + unit / 2) / unit)))
    }

    /// libjpeg's scale of its tables (`jpeg_quality_scaling`), in percent.
    private static func percent(of quality: Int) -> Int {
        quality < 50 ? 5000 / quality : 200 - 2 * quality
    }

    /// Recognises a luma table of our families.
    ///
    /// - Parameter zigzag: 64 steps in the order of the file.
    /// - Returns: Family and quality; nil for the table of another encoder.
    package static func ours(_ zigzag: [Int]) -> (family: JPEGQuantisation, quality: Int)? {
        // The highest of qualities with the same table.
        for quality in (1...100).reversed() {
            for family in [JPEGQuantisation.perceptual, .byRate] {
                let scale = family.scale(quality: quality)
                if zip(zigzag, JPEGReducedTransform.zigzag).allSatisfy({
                    $0 == Int(step(perceptualLuma[$1], scale, in: perceptualUnit))
                }) {
                    return (family, quality)
                }
            }
        }
        return nil
    }
}

extension JPEGQuantisation {
    /// Scale of our tables for libjpeg's of 100 %, in thousandths, by quality.
    ///
    /// Measured: equal SSIMULACRA2 in the mean of 10 photographs at the qualities named.
    private static let perceptualScale = interpolated([
        (0, 2950), (10, 2950), (20, 2720), (40, 2600), (60, 2680), (80, 2700), (90, 2850),
        (95, 3350), (100, 3500),
    ])
    private static let byRateScale = interpolated([
        (0, 2600), (10, 2600), (20, 2350), (40, 2240), (60, 2480), (80, 2560), (90, 2840),
        (95, 3450), (100, 3500),
    ])

    /// Values for 0 to 100, linear between points.
    private static func interpolated(_ points: [(quality: Int, scale: Int)]) -> [Int] {
        zip(points, points.dropFirst()).flatMap { low, high in
            (low.quality..<high.quality).map { quality in
                low.scale + (high.scale - low.scale) * (quality - low.quality)
                    / (high.quality - low.quality)
            }
        } + [points[points.count - 1].scale]
    }

    /// T.81, table K.1.
    private static let standardLuma = [
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57,
        69, 56, 14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64,
        81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
    ]

    /// T.81, table K.2.
    private static let standardChroma = [
        [17, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99], [47, 66, 99, 99],
        [99, 99, 99, 99], [99, 99, 99, 99], [99, 99, 99, 99], [99, 99, 99, 99],
    ].flatMap { $0 + [99, 99, 99, 99] }

    /// Tenths of a step, by a scale in 1/100,000.
    private static let perceptualUnit = 1_000_000

    /// Tenths of a step, trained on photographs by SSIMULACRA2 and butteraugli.
    private static let perceptualLuma = symmetric([
        [41, 57, 100, 101, 117, 139, 160, 174], [90, 120, 115, 133, 153, 174, 186],
        [126, 133, 152, 171, 191, 197], [152, 171, 189, 206, 208], [190, 209, 215, 218],
        [217, 222, 225], [227, 232], [238],
    ])
    private static let perceptualChroma = symmetric([
        [31, 44, 110, 97, 123, 149, 127, 139], [82, 130, 110, 144, 161, 136, 152],
        [126, 135, 176, 166, 140, 173], [171, 188, 162, 153, 202], [172, 152, 186, 241],
        [181, 229, 293], [286, 361], [451],
    ])

    /// A whole table, row by row, from its upper triangle.
    private static func symmetric(_ rows: [[Int]]) -> [Int] {
        (0..<64).map { index in
            let (row, column) = (index / 8, index % 8)
            return rows[min(row, column)][abs(row - column)]
        }
    }
}

extension ProcessingSettings.Effort {
    /// Tables of a new JPEG.
    package var tables: JPEGQuantisation {
        switch self {
        case .standard: .perceptual
        case .best: .byRate
        }
    }
}
