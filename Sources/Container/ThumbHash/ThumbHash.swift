import Foundation

/// A placeholder of about 25 bytes: a picture's average colour, shape and blurred content.
///
/// The format is ThumbHash by Evan Wallace (https://evanw.github.io/thumbhash/). In JSON it is
/// base64.
public struct ThumbHash: Hashable, Sendable, Codable, RawRepresentable {
    /// The encoded hash.
    public let bytes: [UInt8]

    let spectrum: Spectrum

    /// Decodes a hash, exactly as long as its header requires; nil if the bytes are invalid.
    public init?(bytes: [UInt8]) {
        guard let spectrum = Spectrum(bytes: bytes) else { return nil }
        self.bytes = bytes
        self.spectrum = spectrum
    }

    /// Decodes a hash from base64 (RFC 4648, section 4); nil if the text is invalid.
    public init?(rawValue: String) {
        guard let data = Data(base64Encoded: rawValue) else { return nil }
        self.init(bytes: Array(data))
    }

    /// The hash in base64.
    public var rawValue: String { Data(bytes).base64EncodedString() }

    /// Approximate height divided by width of the picture.
    public var approximateRatio: Double { Double(spectrum.rows) / Double(spectrum.columns) }

    /// The average colour, weighted by alpha.
    public var averageColour: Colour {
        let colour = RGB(
            luminance: spectrum.luminance.average, yellowBlue: spectrum.yellowBlue.average,
            redGreen: spectrum.redGreen.average)
        return Colour(
            red: Self.sample(colour.red), green: Self.sample(colour.green),
            blue: Self.sample(colour.blue))
    }

    static func sample(_ value: Double) -> UInt8 {
        UInt8((255 * min(max(value, 0), 1)).rounded())
    }
}

extension ThumbHash {
    /// A colour with channels from 0 to 1, and its transform to the channels of the hash.
    struct RGB {
        var red, green, blue: Double

        var luminance: Double { (red + green + blue) / 3 }
        var yellowBlue: Double { (red + green) / 2 - blue }
        var redGreen: Double { red - green }
    }
}

extension ThumbHash.RGB {
    init(luminance: Double, yellowBlue: Double, redGreen: Double) {
        blue = luminance - 2 / 3 * yellowBlue
        red = (3 * luminance - blue + redGreen) / 2
        green = red - redGreen
    }
}
