package import AttachmentModel

extension Chromaticities {
    /// Weights of red and blue in luma (H.273, equations 32 to 37).
    var lumaWeights: (red: Float, blue: Float) {
        let (zr, zg) = (1 - (red.x + red.y), 1 - (green.x + green.y))
        let (zb, zw) = (1 - (blue.x + blue.y), 1 - (white.x + white.y))
        let divisor =
            white.y
            * (red.x * (green.y * zb - blue.y * zg) + green.x * (blue.y * zr - red.y * zb)
                + blue.x * (red.y * zg - green.y * zr))
        let kr =
            red.y
            * (white.x * (green.y * zb - blue.y * zg) + white.y * (blue.x * zg - green.x * zb)
                + zw * (green.x * blue.y - blue.x * green.y)) / divisor
        let kb =
            blue.y
            * (white.x * (red.y * zg - green.y * zr) + white.y * (green.x * zr - red.x * zg)
                + zw * (red.x * green.y - green.x * red.y)) / divisor
        return (kr, kb)
    }

    /// Matrix from linear RGB to CIE XYZ, scaled so that white has luminance 1 (SMPTE RP 177).
    package var toXYZ: Matrix3 {
        let primaries = Matrix3(columns: Self.xyz(red), Self.xyz(green), Self.xyz(blue))
        let scale = primaries.inverse * whiteXYZ
        return Matrix3(
            columns: Self.xyz(red) * scale.x, Self.xyz(green) * scale.y, Self.xyz(blue) * scale.z)
    }

    /// The white point in CIE XYZ, with luminance 1.
    package var whiteXYZ: SIMD3<Float> { Self.xyz(white) / white.y }

    /// True if every colour is a mixture of the primaries.
    package var isUsable: Bool {
        let columns = [toXYZ.first, toXYZ.second, toXYZ.third]
        // A determinant of 0, or a white that the primaries do not mix, gives infinite or negative light.
        return white.y > 0
            && columns.allSatisfy { abs($0.x) < 4 && (-0.001..<4).contains($0.y) && abs($0.z) < 4 }
    }

    private static func xyz(_ point: Point) -> SIMD3<Float> {
        SIMD3(point.x, point.y, 1 - point.x - point.y)
    }
}
