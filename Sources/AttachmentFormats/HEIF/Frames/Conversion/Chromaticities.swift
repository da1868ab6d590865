/// Primaries and white point in the CIE 1931 diagram (H.273, table 2).
struct Chromaticities {
    typealias Point = (x: Float, y: Float)

    let red: Point
    let green: Point
    let blue: Point
    let white: Point

    init?(primaries: Int) {
        let (c, d65): (Point, Point) = ((0.310, 0.316), (0.3127, 0.3290))
        switch primaries {
        case 1: self = Self.bt709
        case 4: self.init((0.670, 0.330), (0.210, 0.710), (0.140, 0.080), c)
        case 5: self.init((0.640, 0.330), (0.290, 0.600), (0.150, 0.060), d65)
        case 6, 7: self.init((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), d65)
        case 8: self.init((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), c)
        case 9: self = Self.bt2020
        case 10: self.init((1, 0), (0, 1), (0, 0), (1.0 / 3, 1.0 / 3))
        case 11: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), (0.314, 0.351))
        case 12: self.init((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), d65)
        case 22: self.init((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), d65)
        default: return nil
        }
    }

    static let bt709 = Chromaticities(
        (0.640, 0.330), (0.300, 0.600), (0.150, 0.060), (0.3127, 0.3290))
    static let bt2020 = Chromaticities(
        (0.708, 0.292), (0.170, 0.797), (0.131, 0.046), (0.3127, 0.3290))

    private init(_ red: Point, _ green: Point, _ blue: Point, _ white: Point) {
        (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
    }

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
    var toXYZ: Matrix3 {
        let primaries = Matrix3(columns: Self.xyz(red), Self.xyz(green), Self.xyz(blue))
        let scale = primaries.inverse * Self.xyz(white)
        return Matrix3(
            columns: Self.xyz(red) * scale.x, Self.xyz(green) * scale.y, Self.xyz(blue) * scale.z)
    }

    private static func xyz(_ point: Point) -> SIMD3<Float> {
        let y = max(point.y, 1e-6)
        return SIMD3(point.x / y, 1, (1 - point.x - point.y) / y)
    }
}
