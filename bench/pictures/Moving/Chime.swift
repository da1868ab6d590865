import Foundation

/// A short chime of three struck bars, like a doorbell.
enum Chime {
    /// Samples per second.
    private static let rate = 22_050
    /// Duration.
    private static let seconds = 1.5
    /// Start in seconds and pitch in hertz of each bar: E, G and C.
    private static let bars: [(start: Double, pitch: Double)] = [
        (0, 659.26), (0.18, 783.99), (0.36, 1046.5),
    ]
    /// Partials of a bar free at both ends (Rayleigh, "The Theory of Sound", § 170): relative
    /// pitch, amplitude, and decay time in seconds.
    private static let partials: [(pitch: Double, share: Double, fading: Double)] = [
        (1, 0.6, 0.45), (2.756, 0.25, 0.18), (5.404, 0.1, 0.08),
    ]

    /// A mono WAV with 16 bits per sample.
    static var bytes: Data {
        let count = Int(seconds * Double(rate))
        let samples = (0..<count).reduce(into: Data()) { data, number in
            let time = Double(number) / Double(rate)
            let level = bars.reduce(0.0) { $0 + sound(of: $1.pitch, after: time - $1.start) }
            // Fade out the last 50 ms to avoid a click.
            let end = min(1, (seconds - time) / 0.05)
            data += Data.little(Int((level * end * 12_000).rounded()), 2)
        }
        // PCM, one channel, sample rate, bytes per second, bytes and bits per sample.
        let format = Data.parts(
            .little(1, 2), .little(1, 2), .little(rate), .little(rate * 2), .little(2, 2),
            .little(16, 2))
        return .chunk(
            "RIFF", .parts(.name("WAVE"), .chunk("fmt ", format), .chunk("data", samples)))
    }

    private static func sound(of pitch: Double, after time: Double) -> Double {
        guard time > 0 else { return 0 }
        return partials.reduce(0) { sum, partial in
            sum + partial.share * exp(-time / partial.fading)
                * sin(2 * Double.pi * pitch * partial.pitch * time)
        }
    }
}
