internal import AttachmentModel

/// Conversion from luma of linear light to RGB (H.273, MatrixCoefficients 10 and 13).
///
/// Luma is the signal of a weighted sum of light, not a weighted sum of signals, so green follows from
/// the light of luma, red and blue.
final class ConstantLuminance {
    /// Weights of red, green and blue in the light of luma.
    private let weights: SIMD3<Float>
    /// Differences of blue and of red from luma per coded difference, if negative and if positive.
    private let blueRange: (negative: Float, positive: Float)
    private let redRange: (negative: Float, positive: Float)
    /// Light at evenly spaced signals from 0 to 1.
    private let light: [Float]

    /// Number of steps, equal to the codes of 12 bits.
    private static let steps = 4096

    /// Unknown primaries are taken for BT.2020's.
    init(_ colours: CodedColours) {
        let (red, blue) =
            CodedColours.lumaWeights(matrix: colours.matrix, primaries: colours.primaries)
            ?? (0.2627, 0.0593)
        weights = SIMD3(red, 1 - red - blue, blue)
        let light = (0...Self.steps).map {
            Float(colours.cameraLight(of: Double($0) / Double(Self.steps)))
        }
        self.light = light
        // H.273: N is the signal of all light without the colour's, P the part of 1 above its own signal.
        let range = { (weight: Float) in
            (
                negative: 2 * Self.signal(of: 1 - weight, light),
                positive: 2 * (1 - Self.signal(of: weight, light))
            )
        }
        (blueRange, redRange) = (range(blue), range(red))
    }

    /// Red, green and blue from luma of 0 to 1 and differences of -0.5 to 0.5.
    func colour(luma: Float, blue: Float, red: Float) -> SIMD3<Float> {
        let signals = (
            blue: luma + blue * (blue < 0 ? blueRange.negative : blueRange.positive),
            red: luma + red * (red < 0 ? redRange.negative : redRange.positive)
        )
        let others = weights.x * light(of: signals.red) + weights.z * light(of: signals.blue)
        let green = Self.signal(of: (light(of: luma) - others) / weights.y, light)
        return SIMD3(signals.red, green, signals.blue)
    }

    private func light(of signal: Float) -> Float {
        let place = min(max(signal, 0), 1) * Float(Self.steps)
        let step = min(Int(place), Self.steps - 1)
        return light[step] + (light[step + 1] - light[step]) * (place - Float(step))
    }

    /// The signal of light by the table, whose values never fall.
    private static func signal(of wanted: Float, _ light: [Float]) -> Float {
        guard wanted > light[0] else { return 0 }
        var (below, above) = (0, steps)
        while above - below > 1 {
            let middle = (below + above) / 2
            if light[middle] < wanted { below = middle } else { above = middle }
        }
        let rise = light[above] - light[below]
        let part = rise > 0 ? min((wanted - light[below]) / rise, 1) : 0
        return (Float(below) + part) / Float(steps)
    }
}

extension CodedColours {
    /// Light of a coded signal, both from 0 to 1, by the function that a camera applied.
    ///
    /// Shown pictures take BT.709's for sRGB's (`TransferFunction`); luma was made with its own.
    fileprivate func cameraLight(of signal: Double) -> Double {
        switch transfer {
        case 1, 2, 6, 11, 12, 14, 15: TransferFunction.cameraLight(of: signal)
        default: (TransferFunction(codePoint: transfer) ?? .sRGB).light(of: signal)
        }
    }
}
