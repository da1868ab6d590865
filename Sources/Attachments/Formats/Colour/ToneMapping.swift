internal import AttachmentModel
import Foundation

/// Tone mapping from PQ or HLG to 8-bit sRGB.
///
/// Light is relative to the reference white of 203 cd/m² (BT.2408). Above a knee it is compressed
/// so that the peak stays below white, with one factor for RGB to keep the hue.
final class ToneMapping {
    static let note = "tone-mapped from high dynamic range"

    /// Luminance of reference white, in cd/m² (BT.2408, table 1).
    private static let referenceWhite: Float = 203
    /// Luminance mapped to white, in cd/m²: the usual peak of HDR grading.
    private static let peak: Float = 1000
    /// Start of the compression, relative to reference white, which becomes 0.8, code 231.
    private static let knee: Float = 0.6
    /// Deeper codes are shifted down to the light table's depth.
    private static let maximumDepth = 12
    /// Entries of the sRGB table: where it is steepest, a step is a fifth of a code.
    private static let steps = 1 << 14

    // Both tables are owned by `self` and filled by `init`.
    private let light: UnsafeMutablePointer<Float>
    private let codes: UnsafeMutablePointer<UInt8>
    private let mask: Int
    private let shift: Int
    private let isHybridLogGamma: Bool
    private let gamut: Matrix3

    /// Nil if the transfer function is neither PQ nor HLG; `bitDepth` is 8 to 16.
    convenience init?(from colours: CodedColours, bitDepth: Int) {
        // H.273, table 3: 16 is PQ, 18 is HLG.
        guard colours.transfer == 16 || colours.transfer == 18 else { return nil }
        self.init(
            isHybridLogGamma: colours.transfer == 18,
            Chromaticities(primaries: colours.primaries) ?? .bt2020, bitDepth: bitDepth)
    }

    /// Nil if the tags are neither PQ nor HLG.
    convenience init?(from tags: ColourTags, bitDepth: Int) {
        guard tags.isHighDynamicRange else { return nil }
        self.init(
            isHybridLogGamma: tags.transfer == .hlg, tags.chromaticities, bitDepth: bitDepth)
    }

    private init(isHybridLogGamma: Bool, _ source: Chromaticities, bitDepth: Int) {
        self.isHybridLogGamma = isHybridLogGamma
        let depth = min(bitDepth, Self.maximumDepth)
        (shift, mask) = (bitDepth - depth, 1 << depth - 1)
        light = .allocate(capacity: mask + 1)
        codes = .allocate(capacity: Self.steps + 1)
        for code in 0...mask {
            let signal = Double(code) / Double(mask)
            light[code] =
                isHybridLogGamma
                ? Float(TransferFunction.hlg.light(of: signal))
                : Float(TransferFunction.pq.light(of: signal) * 10000) / Self.referenceWhite
        }
        for step in 0...Self.steps {
            codes[step] = Self.code(sRGB: Float(step) / Float(Self.steps))
        }
        gamut = Chromaticities.bt709.toXYZ.inverse * source.toXYZ
    }

    deinit {
        light.deallocate()
        codes.deallocate()
    }

    func map<Sample>(
        _ planes: ColourPlanes<Sample>, _ count: Int, into out: UnsafeMutableRawPointer
    ) {
        for x in 0..<count {
            var colour = SIMD3(light(planes.red[x]), light(planes.green[x]), light(planes.blue[x]))
            if isHybridLogGamma { colour = Self.displayLight(hlg: colour) }
            colour = gamut * colour
            let brightest = colour.max()
            if brightest > Self.knee { colour *= Self.compressed(brightest) / brightest }
            let pixel = out + 3 &* x
            pixel.storeBytes(of: code(colour.x), as: UInt8.self)
            pixel.storeBytes(of: code(colour.y), toByteOffset: 1, as: UInt8.self)
            pixel.storeBytes(of: code(colour.z), toByteOffset: 2, as: UInt8.self)
        }
    }

    @inline(__always)
    private func light<Sample: FixedWidthInteger>(_ code: Sample) -> Float {
        light[(Int(truncatingIfNeeded: code) &>> shift) & mask]
    }

    @inline(__always)
    private func code(_ light: Float) -> UInt8 {
        codes[Int(min(max(light, 0), 1) * Float(Self.steps) + 0.5)]
    }

    /// For a display of `peak` (BT.2100, table 5: system gamma 1.2 at 1000 cd/m²).
    @inline(__always)
    private static func displayLight(hlg scene: SIMD3<Float>) -> SIMD3<Float> {
        let luminance = (scene * SIMD3(0.2627, 0.6780, 0.0593)).sum()
        return scene * (peak / referenceWhite * pow(max(luminance, 0), 0.2))
    }

    /// Reinhard's curve above the knee, with slope 1 at the knee and the peak at 1.
    @inline(__always)
    private static func compressed(_ light: Float) -> Float {
        let headroom = 1 - knee
        let excess = (light - knee) / headroom
        let highest = (peak / referenceWhite - knee) / headroom
        return min(knee + headroom * excess * (1 + excess / (highest * highest)) / (1 + excess), 1)
    }

    private static func code(sRGB light: Float) -> UInt8 {
        let signal = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8(min(max(signal * 255 + 0.5, 0), 255))
    }
}
