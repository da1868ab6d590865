/// Sampling factors of a JPEG's components (ITU-T T.81, A.1.1).
package struct JPEGSampling: Sendable, Hashable {
    package struct Factors: Sendable, Hashable {
        package let horizontal: Int
        package let vertical: Int

        package init(_ horizontal: Int, _ vertical: Int) {
            self.horizontal = horizontal
            self.vertical = vertical
        }
    }

    package let components: [Factors]
    /// True if the second and third component are chroma.
    package let isYCbCr: Bool

    package init(_ components: [Factors], isYCbCr: Bool) {
        self.components = components
        self.isYCbCr = isYCbCr
    }

    package static let grey = JPEGSampling([Factors(1, 1)], isYCbCr: false)
    package static let yCbCr420 = JPEGSampling(
        [Factors(2, 2), Factors(1, 1), Factors(1, 1)], isYCbCr: true)
    package static let yCbCr444 = JPEGSampling(
        [Factors(1, 1), Factors(1, 1), Factors(1, 1)], isYCbCr: true)

    /// Blocks in a unit of all components (T.81, A.2.3).
    var blocks: Double {
        Double(components.reduce(0) { $0 + $1.horizontal * $1.vertical })
    }
    var unitWidth: Double { Double(components.reduce(1) { max($0, $1.horizontal) }) }
    var unitHeight: Double { Double(components.reduce(1) { max($0, $1.vertical) }) }

    var samplesPerPixel: Double { blocks / (unitWidth * unitHeight) }

    /// The usual name if any, otherwise the factors of all components, such as `2x2,2x1,1x1`; nil
    /// without chroma.
    package var name: String? {
        guard isYCbCr, let luma = components.first else { return nil }
        let usual = Self.usualNames.first { _, ratio in
            components.dropFirst().allSatisfy {
                $0.horizontal * ratio.horizontal == luma.horizontal
                    && $0.vertical * ratio.vertical == luma.vertical
            }
        }
        return usual?.name
            ?? components.map { "\($0.horizontal)x\($0.vertical)" }.joined(separator: ",")
    }

    private static let usualNames: [(name: String, ratio: Factors)] = [
        ("4:4:4", Factors(1, 1)), ("4:2:2", Factors(2, 1)), ("4:2:0", Factors(2, 2)),
        ("4:4:0", Factors(1, 2)), ("4:1:1", Factors(4, 1)),
    ]
}
