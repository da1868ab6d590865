package import AttachmentModel
internal import Foundation

extension TransferFunction {
    /// Light of a sample, both from 0 to 1 (H.273, table 3, inverted).
    ///
    /// PQ gives a part of 10,000 cd/m², HLG scene light.
    package func light(of sample: Double) -> Double {
        switch self {
        case .sRGB: sample <= 0.04045 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
        case .gamma(let exponent): pow(sample, exponent)
        case .smpte240M:
            sample < 4 * 0.0228 ? sample / 4 : pow((sample + 0.1115) / 1.1115, 1 / 0.45)
        case .logarithmic(let decades): sample <= 0 ? 0 : pow(10, (sample - 1) * decades)
        case .st428: pow(sample, 2.6) * 52.37 / 48
        case .pq: Self.light(pq: sample)
        case .hlg: Self.sceneLight(hlg: sample)
        }
    }

    /// Light that a camera of BT.709 or BT.2020 saw (H.273, table 3, with the exact constants).
    static func cameraLight(of sample: Double) -> Double {
        let (alpha, beta) = (1.099296826809442, 0.018053968510807)
        return sample < 4.5 * beta ? sample / 4.5 : pow((sample + alpha - 1) / alpha, 1 / 0.45)
    }

    /// BT.2100, table 4.
    private static func light(pq sample: Double) -> Double {
        let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
        let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)
        let power = pow(sample, 1 / m2)
        return pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }

    /// BT.2100, table 5.
    private static func sceneLight(hlg sample: Double) -> Double {
        let a = 0.17883277
        let (b, c) = (1 - 4 * a, 0.5 - a * log(4 * a))
        return sample <= 0.5 ? sample * sample / 3 : (exp((sample - c) / a) + b) / 12
    }
}
