/// An opaque sRGB colour with 8 bits a channel, in JSON and as text `#rrggbb`.
public struct Colour: Hashable, Sendable, Codable, RawRepresentable {
    /// Red, from 0 to 255.
    public let red: UInt8
    /// Green, from 0 to 255.
    public let green: UInt8
    /// Blue, from 0 to 255.
    public let blue: UInt8

    /// Makes a colour from its channels, from 0 to 255.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Parses `#rrggbb`, in either case; nil for anything else.
    public init?(rawValue: String) {
        let digits = rawValue.utf8.dropFirst().compactMap {
            Character(UnicodeScalar($0)).hexDigitValue
        }
        guard rawValue.hasPrefix("#"), rawValue.utf8.count == 7, digits.count == 6 else {
            return nil
        }
        red = UInt8(digits[0] << 4 | digits[1])
        green = UInt8(digits[2] << 4 | digits[3])
        blue = UInt8(digits[4] << 4 | digits[5])
    }

    /// `#rrggbb`, in lower case.
    public var rawValue: String {
        let value = 1 << 24 | Int(red) << 16 | Int(green) << 8 | Int(blue)
        return "#" + String(value, radix: 16).dropFirst()
    }
}

extension Colour: CustomStringConvertible {
    /// `#rrggbb`, in lower case.
    public var description: String { rawValue }
}
