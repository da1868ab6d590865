import Foundation

/// A placeholder of about 25 bytes: a picture's average colour, its shape, and a blurred likeness.
///
/// The bytes are those of ThumbHash as published by Evan Wallace
/// (https://evanw.github.io/thumbhash/). In JSON it is base64.
public struct ThumbHash: Hashable, Sendable, Codable, RawRepresentable {
    /// The hash itself.
    public let bytes: [UInt8]

    let spectrum: Spectrum

    /// Takes the bytes of a hash; nil when they are none.
    ///
    /// - Parameter bytes: The hash itself, neither shorter nor longer than its header says.
    public init?(bytes: [UInt8]) {
        guard let spectrum = Spectrum(bytes: bytes) else { return nil }
        self.bytes = bytes
        self.spectrum = spectrum
    }

    /// Takes a hash as base64 (RFC 4648, section 4); nil when it is none.
    ///
    /// - Parameter rawValue: The base64 text.
    public init?(rawValue: String) {
        guard let data = Data(base64Encoded: rawValue) else { return nil }
        self.init(bytes: Array(data))
    }

    /// The hash as base64.
    public var rawValue: String { Data(bytes).base64EncodedString() }

    /// The height divided by the width of the picture, as coarsely as its few waves tell it.
    public var approximateRatio: Double { Double(spectrum.rows) / Double(spectrum.columns) }

    /// The average colour of what is not transparent.
    public var averageColour: Colour {
        let colour = RGB(
            luminance: spectrum.luminance.average, yellowBlue: spectrum.yellowBlue.average,
            redGreen: spectrum.redGreen.average)
        return Colour(
            red: Self.sample(colour.red), green: Self.sample(colour.green),
            blue: Self.sample(colour.blue))
    }

    /// A value from 0 to 1 as eight bits; what lies outside is clipped.
    static func sample(_ value: Double) -> UInt8 {
        UInt8((255 * min(max(value, 0), 1)).rounded())
    }
}

extension ThumbHash {
    /// A colour from 0 to 1, and the three channels that the hash keeps of it.
    struct RGB {
        var red, green, blue: Double

        var luminance: Double { (red + green + blue) / 3 }
        var yellowBlue: Double { (red + green) / 2 - blue }
        var redGreen: Double { red - green }
    }
}

extension ThumbHash.RGB {
    /// Undoes the three channels.
    init(luminance: Double, yellowBlue: Double, redGreen: Double) {
        blue = luminance - 2 / 3 * yellowBlue
        red = (3 * luminance - blue + redGreen) / 2
        green = red - redGreen
    }
}
