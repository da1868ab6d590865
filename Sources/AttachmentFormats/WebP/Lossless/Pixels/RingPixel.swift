/// Storage layout of a coded pixel: the varying channels, in the order blue, green, red, alpha.
///
/// The fill supplies the other channels. Full pixels are ARGB words, alpha in the highest byte.
protocol RingPixel {
    static var bytes: Int { get }
    /// True if red and blue are stored.
    static var keepsColour: Bool { get }
    /// True if alpha is stored.
    static var keepsAlpha: Bool { get }

    /// Reads a pixel; 4 bytes must be readable.
    ///
    /// The fill is 0 in the stored channels.
    static func load(_ pointer: UnsafePointer<UInt8>, _ fill: UInt32) -> UInt32

    /// Writes a pixel; 4 bytes must be writable.
    ///
    /// The bytes after the pixel become undefined.
    static func store(_ pixel: UInt32, _ pointer: UnsafeMutablePointer<UInt8>)
}

extension RingPixel {
    /// Bits of the stored channels.
    @inline(__always)
    static var mask: UInt32 {
        0xFF00 | (keepsColour ? 0x00FF_00FF : 0) | (keepsAlpha ? 0xFF00_0000 : 0)
    }
}

/// Green only, for palette indices.
enum GreenPixel: RingPixel {
    static let bytes = 1
    static let keepsColour = false
    static let keepsAlpha = false

    @inline(__always)
    static func load(_ pointer: UnsafePointer<UInt8>, _ fill: UInt32) -> UInt32 {
        UInt32(pointer[0]) &<< 8 | fill
    }

    @inline(__always)
    static func store(_ pixel: UInt32, _ pointer: UnsafeMutablePointer<UInt8>) {
        pointer[0] = UInt8(truncatingIfNeeded: pixel &>> 8)
    }
}

/// Green and alpha, for residuals of an alpha plane.
enum GreenAlphaPixel: RingPixel {
    static let bytes = 2
    static let keepsColour = false
    static let keepsAlpha = true

    @inline(__always)
    static func load(_ pointer: UnsafePointer<UInt8>, _ fill: UInt32) -> UInt32 {
        UInt32(pointer[0]) &<< 8 | UInt32(pointer[1]) &<< 24 | fill
    }

    @inline(__always)
    static func store(_ pixel: UInt32, _ pointer: UnsafeMutablePointer<UInt8>) {
        pointer[0] = UInt8(truncatingIfNeeded: pixel &>> 8)
        pointer[1] = UInt8(truncatingIfNeeded: pixel &>> 24)
    }
}

/// Red, green and blue, for opaque images.
enum ColourPixel: RingPixel {
    static let bytes = 3
    static let keepsColour = true
    static let keepsAlpha = false

    @inline(__always)
    static func load(_ pointer: UnsafePointer<UInt8>, _ fill: UInt32) -> UInt32 {
        let word = UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self)
        return UInt32(littleEndian: word) & 0x00FF_FFFF | fill
    }

    @inline(__always)
    static func store(_ pixel: UInt32, _ pointer: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(pointer).storeBytes(of: pixel.littleEndian, as: UInt32.self)
    }
}

enum FullPixel: RingPixel {
    static let bytes = 4
    static let keepsColour = true
    static let keepsAlpha = true

    @inline(__always)
    static func load(_ pointer: UnsafePointer<UInt8>, _ fill: UInt32) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self))
    }

    @inline(__always)
    static func store(_ pixel: UInt32, _ pointer: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(pointer).storeBytes(of: pixel.littleEndian, as: UInt32.self)
    }
}

/// The kinds of `RingPixel`; the raw value is the bytes of a pixel.
enum RingLayout: Int {
    case green = 1
    case greenAlpha
    case colour
    case full

    var bytes: Int { rawValue }
}
