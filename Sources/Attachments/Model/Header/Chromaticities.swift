/// Primaries and white point in the CIE 1931 diagram, as x and y.
package struct Chromaticities: Sendable, Hashable {
    package typealias Point = SIMD2<Float>

    package let red: Point
    package let green: Point
    package let blue: Point
    package let white: Point

    package init(_ red: Point, _ green: Point, _ blue: Point, white: Point) {
        (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
    }

    /// ColourPrimaries of H.273, table 2; nil for unspecified and reserved ones.
    package init?(primaries: Int) {
        switch primaries {
        case 1: self = .bt709
        case 4: self.init([0.670, 0.330], [0.210, 0.710], [0.140, 0.080], white: Self.c)
        case 5: self.init([0.640, 0.330], [0.290, 0.600], [0.150, 0.060], white: Self.d65)
        case 6, 7: self.init([0.630, 0.340], [0.310, 0.595], [0.155, 0.070], white: Self.d65)
        case 8: self.init([0.681, 0.319], [0.243, 0.692], [0.145, 0.049], white: Self.c)
        case 9: self = .bt2020
        case 10: self.init([1, 0], [0, 1], [0, 0], white: [1.0 / 3, 1.0 / 3])
        case 11:
            self.init([0.680, 0.320], [0.265, 0.690], [0.150, 0.060], white: [0.314, 0.351])
        case 12: self.init([0.680, 0.320], [0.265, 0.690], [0.150, 0.060], white: Self.d65)
        case 22: self.init([0.630, 0.340], [0.295, 0.605], [0.155, 0.077], white: Self.d65)
        default: return nil
        }
    }

    package static let bt709 = Chromaticities(
        [0.640, 0.330], [0.300, 0.600], [0.150, 0.060], white: d65)
    package static let bt2020 = Chromaticities(
        [0.708, 0.292], [0.170, 0.797], [0.131, 0.046], white: d65)

    private static let c: Point = [0.310, 0.316]
    private static let d65: Point = [0.3127, 0.3290]
}
