internal import Foundation

/// sRGB transfer function and its inverse as tables (IEC 61966-2-1).
///
/// Averages must be computed in linear light; averages of samples are too dark.
struct LinearLight {
    let light: [Float]
    /// Sample for each of `steps + 1` amounts of light.
    ///
    /// The narrowest sample, in the dark, is 1.2 steps wide, so every sample occurs.
    let samples: [UInt8]
    static let steps = 4096

    init() {
        light = (0...255).map { Float(Self.light(of: Double($0) / 255)) }
        samples = (0...Self.steps).map { step in
            UInt8((255 * Self.sample(of: Double(step) / Double(Self.steps))).rounded())
        }
    }

    private static func light(of sample: Double) -> Double {
        sample <= 0.040_45 ? sample / 12.92 : pow((sample + 0.055) / 1.055, 2.4)
    }

    private static func sample(of light: Double) -> Double {
        light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
