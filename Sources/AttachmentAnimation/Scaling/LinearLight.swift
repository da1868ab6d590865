internal import Foundation

/// The samples of sRGB as amounts of light, and back (IEC 61966-2-1).
///
/// Averages of light are what an eye sees from afar; averages of samples are too dark.
struct LinearLight {
    /// The light of each sample, from 0 to 1.
    let light: [Float]
    /// The sample of each of `steps + 1` amounts of light.
    ///
    /// Where samples are closest, in the dark, one is 1.2 steps wide, so that none is missed.
    let samples: [UInt8]
    /// Into how many steps light is divided.
    static let steps = 4096

    /// Computes the tables.
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
