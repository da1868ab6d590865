enum ColourMatrix: Hashable {
    case weighted(ChromaWeights)
    /// The planes are green, blue and red (H.273, MatrixCoefficients 0).
    case identity
    /// YCgCo (H.273, MatrixCoefficients 8).
    case yCgCo

    init(_ colours: CodedColours) {
        switch colours.matrix {
        case 0: self = .identity
        case 8: self = .yCgCo
        default:
            self = .weighted(ChromaWeights(matrix: colours.matrix, primaries: colours.primaries))
        }
    }
}

struct ChromaWeights: Hashable {
    var redOfRed: Float
    var greenOfBlue: Float
    var greenOfRed: Float
    var blueOfBlue: Float

    /// BT.601, also the default for unspecified colours (JFIF; rounded like libheif).
    static let unspecified = ChromaWeights(
        redOfRed: 1.402, greenOfBlue: -0.344136, greenOfRed: -0.714136, blueOfBlue: 1.772)
}

extension ChromaWeights {
    /// Derives the weights from those of luma (H.273, equations 38 to 40 solved for RGB);
    /// `primaries` matters for matrices 12 and 13 only.
    init(matrix: Int, primaries: Int) {
        guard let (red, blue) = Self.lumaWeights(matrix: matrix, primaries: primaries) else {
            self = .unspecified
            return
        }
        redOfRed = 2 * (-red + 1)
        greenOfBlue = 2 * blue * (-blue + 1) / (blue + red - 1)
        greenOfRed = 2 * red * (-red + 1) / (blue + red - 1)
        blueOfBlue = 2 * (-blue + 1)
    }

    /// Weights of red and blue in luma (H.273, table 4).
    private static func lumaWeights(matrix: Int, primaries: Int) -> (red: Float, blue: Float)? {
        switch matrix {
        case 1: (0.2126, 0.0722)  // BT.709.
        case 4: (0.30, 0.11)  // FCC.
        case 5, 6: (0.299, 0.114)  // BT.601.
        case 7: (0.212, 0.087)  // SMPTE 240M.
        case 9, 10: (0.2627, 0.0593)  // BT.2020.
        case 12, 13: Chromaticities(primaries: primaries)?.lumaWeights
        default: nil
        }
    }
}
