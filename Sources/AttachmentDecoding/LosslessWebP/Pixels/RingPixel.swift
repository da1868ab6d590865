/// How a coded pixel is kept for back-references to it: those channels that vary, in the order
/// blue, green, red, alpha of a pixel in 32 bits whose highest byte is alpha.
///
/// The channels that are not kept are those of a fill that the reader of the pixel knows.
protocol RingPixel {
    /// What a pixel takes, in bytes.
    static var bytes: Int { get }
    /// Whether red and blue are kept.
    static var keepsColour: Bool { get }
    /// Whether alpha is kept.
    static var keepsAlpha: Bool { get }

    /// Reads a pixel.
    ///
    /// - Parameters:
    ///   - place: Where it begins; 4 bytes can be read.
    ///   - fill: The other channels; 0 in those that are kept.
    /// - Returns: All channels.
    static func load(_ place: UnsafePointer<UInt8>, _ fill: UInt32) -> UInt32

    /// Writes a pixel.
    ///
    /// - Parameters:
    ///   - pixel: All its channels.
    ///   - place: Where it begins; 4 bytes can be written, of which those behind the pixel are of
    ///     no account.
    static func store(_ pixel: UInt32, _ place: UnsafeMutablePointer<UInt8>)
}

extension RingPixel {
    /// The bits of the channels that are kept.
    @inline(__always)
    static var mask: UInt32 {
        0xFF00 | (keepsColour ? 0x00FF_00FF : 0) | (keepsAlpha ? 0xFF00_0000 : 0)
    }
}

/// Green alone: what palettes have.
enum GreenPixel: RingPixel {
    static let bytes = 1
    static let keepsColour = false
    static let keepsAlpha = false

    @inline(__always)
    static func load(_ place: UnsafePointer<UInt8>, _ fill: UInt32) -> UInt32 {
        UInt32(place[0]) &<< 8 | fill
    }

    @inline(__always)
    static func store(_ pixel: UInt32, _ place: UnsafeMutablePointer<UInt8>) {
        place[0] = UInt8(truncatingIfNeeded: pixel &>> 8)
    }
}

/// Green and alpha: what differences of an alpha plane have.
enum GreenAlphaPixel: RingPixel {
    static let bytes = 2
    static let keepsColour = false
    static let keepsAlpha = true

    @inline(__always)
    static func load(_ place: UnsafePointer<UInt8>, _ fill: UInt32) -> UInt32 {
        UInt32(place[0]) &<< 8 | UInt32(place[1]) &<< 24 | fill
    }

    @inline(__always)
    static func store(_ pixel: UInt32, _ place: UnsafeMutablePointer<UInt8>) {
        place[0] = UInt8(truncatingIfNeeded: pixel &>> 8)
        place[1] = UInt8(truncatingIfNeeded: pixel &>> 24)
    }
}

/// Red, green and blue: what opaque pictures have.
enum ColourPixel: RingPixel {
    static let bytes = 3
    static let keepsColour = true
    static let keepsAlpha = false

    @inline(__always)
    static func load(_ place: UnsafePointer<UInt8>, _ fill: UInt32) -> UInt32 {
        let word = UnsafeRawPointer(place).loadUnaligned(as: UInt32.self)
        return UInt32(littleEndian: word) & 0x00FF_FFFF | fill
    }

    @inline(__always)
    static func store(_ pixel: UInt32, _ place: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(place).storeBytes(of: pixel.littleEndian, as: UInt32.self)
    }
}

/// All channels.
enum FullPixel: RingPixel {
    static let bytes = 4
    static let keepsColour = true
    static let keepsAlpha = true

    @inline(__always)
    static func load(_ place: UnsafePointer<UInt8>, _ fill: UInt32) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt32.self))
    }

    @inline(__always)
    static func store(_ pixel: UInt32, _ place: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(place).storeBytes(of: pixel.littleEndian, as: UInt32.self)
    }
}

/// The kinds of `RingPixel`.
enum RingLayout: Int {
    /// `GreenPixel`.
    case green = 1
    /// `GreenAlphaPixel`.
    case greenAlpha
    /// `ColourPixel`.
    case colour
    /// `FullPixel`.
    case full

    /// What a pixel takes, in bytes.
    var bytes: Int { rawValue }
}
