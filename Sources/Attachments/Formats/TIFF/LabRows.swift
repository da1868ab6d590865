import AttachmentModel
internal import Foundation

/// Rows of CIE L*a*b* in a TIFF (TIFF 6.0, section 23) as sRGB; alpha stays.
///
/// White is D50, as in ICC profiles, libtiff and Photoshop.
final class LabRows: DecodedRows {
    let layout: RowLayout
    let profile: [UInt8]? = nil
    let notes: [String]

    private let rows: any DecodedRows
    private let encoding: [Float]

    init(_ rows: any DecodedRows) {
        self.rows = rows
        layout = rows.layout
        let fault = rows.profile.flatMap { ColourProfile.fault(of: $0, for: .lab) }
        notes = rows.notes + [fault].compactMap(\.self)
        let largest = layout.bytesPerSample == 2 ? Float(UInt16.max) : Float(UInt8.max)
        encoding = (0...Self.steps + 1).map { step in
            let light = min(Float(step) / Float(Self.steps), 1)
            // IEC 61966-2-1.
            let signal = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            return signal * largest
        }
    }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        try rows.readRow(into: row)
        guard let start = row.baseAddress else { return }
        let matrix = Self.matrix
        encoding.withUnsafeBufferPointer { encoding in
            if layout.bytesPerSample == 2 {
                let samples = start.assumingMemoryBound(to: UInt16.self)
                for pixel in 0..<layout.width {
                    Self.convert(
                        samples + pixel &* layout.bands, of: Int16.self, by: matrix, encoding)
                }
            } else {
                let samples = start.assumingMemoryBound(to: UInt8.self)
                for pixel in 0..<layout.width {
                    Self.convert(
                        samples + pixel &* layout.bands, of: Int8.self, by: matrix, encoding)
                }
            }
        }
    }

    /// Entries of the table of sRGB: with straight lines between them, it is off by at most 5 of 65,535.
    private static let steps = 2048

    /// From CIE XYZ to linear RGB, both with D50 as white: the inverse of the primaries in the ICC's
    /// profile `sRGB2014`, each multiplied by the white.
    private static let matrix: Matrix3 = {
        let primaries = Matrix3(
            columns: [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708],
            [0.14307, 0.06061, 0.71410])
        let inverse = primaries.inverse
        return Matrix3(
            columns: inverse.first * 0.9642, inverse.second, inverse.third * 0.8249)
    }()

    /// Converts a pixel in place; a* and b* are signed.
    ///
    /// The matrix is passed, because a static one is initialised on demand.
    @inline(__always)
    private static func convert<
        Sample: FixedWidthInteger & UnsignedInteger, Signed: FixedWidthInteger
    >(
        _ pixel: UnsafeMutablePointer<Sample>, of: Signed.Type, by matrix: Matrix3,
        _ encoding: UnsafeBufferPointer<Float>
    ) {
        // Steps of a* and b* to one of 8 bits.
        let unit = Sample.bitWidth == 16 ? Float(1.0 / 256) : 1
        let lightness = Float(pixel[0]) * (100 / Float(Sample.max))
        let a = Float(Signed(truncatingIfNeeded: pixel[1])) * unit
        let b = Float(Signed(truncatingIfNeeded: pixel[2])) * unit
        let y = (lightness + 16) / 116
        let light = matrix * SIMD3(inverse(y + a / 500), inverse(y), inverse(y - b / 200))
        let place = light.clamped(lowerBound: .zero, upperBound: .one) * Float(steps)
        pixel[0] = Sample(encoded(place.x, encoding))
        pixel[1] = Sample(encoded(place.y, encoding))
        pixel[2] = Sample(encoded(place.z, encoding))
    }

    /// The rounded sample at a place of the table.
    @inline(__always)
    private static func encoded(_ place: Float, _ encoding: UnsafeBufferPointer<Float>) -> Float {
        let step = Int(place)
        let (low, high) = (encoding[step], encoding[step + 1])
        return low + (high - low) * (place - Float(step)) + 0.5
    }

    /// CIE 15, equations 8.15 to 8.20.
    @inline(__always)
    private static func inverse(_ value: Float) -> Float {
        value > 6.0 / 29 ? value * value * value : (value - 4.0 / 29) * (108.0 / 841)
    }
}
