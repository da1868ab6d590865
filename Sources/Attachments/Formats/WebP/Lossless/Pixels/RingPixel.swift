/// Storage layout of a coded pixel: the varying channels, in the order blue, green, red, alpha.
///
/// The fill supplies the other channels. Full pixels are ARGB words, alpha in the highest byte.
protocol RingPixel {
    static var keepsColour: Bool { get }
    static var keepsAlpha: Bool { get }
}

extension RingPixel {
    @inline(__always)
    static var bytes: Int { (keepsColour ? 3 : 1) &+ (keepsAlpha ? 1 : 0) }

    @inline(__always)
    static var mask: UInt32 {
        0xFF00 | (keepsColour ? 0x00FF_00FF : 0) | (keepsAlpha ? 0xFF00_0000 : 0)
    }

    /// Reads a pixel; 4 bytes must be readable, and the fill is 0 in the stored channels.
    @inline(__always)
    static func load(_ pointer: UnsafePointer<UInt8>, _ fill: UInt32) -> UInt32 {
        guard keepsColour else {
            guard keepsAlpha else { return UInt32(pointer[0]) &<< 8 | fill }
            // One load, so that the compiler reads many pixels at once.
            let both = UInt32(
                UInt16(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt16.self)))
            return (both & 0xFF) &<< 8 | (both & 0xFF00) &<< 16 | fill
        }
        let word = UInt32(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self))
        return keepsAlpha ? word : word & 0x00FF_FFFF | fill
    }

    /// Writes a pixel; 4 bytes must be writable, and those after the pixel become undefined.
    @inline(__always)
    static func store(_ pixel: UInt32, _ pointer: UnsafeMutablePointer<UInt8>) {
        guard !keepsColour else {
            return UnsafeMutableRawPointer(pointer)
                .storeBytes(of: pixel.littleEndian, as: UInt32.self)
        }
        pointer[0] = UInt8(truncatingIfNeeded: pixel &>> 8)
        if keepsAlpha { pointer[1] = UInt8(truncatingIfNeeded: pixel &>> 24) }
    }
}

enum GreenPixel: RingPixel {
    static let keepsColour = false
    static let keepsAlpha = false
}

enum GreenAlphaPixel: RingPixel {
    static let keepsColour = false
    static let keepsAlpha = true
}

enum ColourPixel: RingPixel {
    static let keepsColour = true
    static let keepsAlpha = false
}

enum FullPixel: RingPixel {
    static let keepsColour = true
    static let keepsAlpha = true
}

/// The kinds of `RingPixel`; the raw value is the bytes of a pixel.
enum RingLayout: Int {
    case green = 1
    case greenAlpha
    case colour
    case full

    var bytes: Int { rawValue }
}
