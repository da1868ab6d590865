internal import AttachmentModel

enum ColourMatrix {
    case weighted(ChromaWeights)
    /// Luma of linear light (H.273, MatrixCoefficients 10 and 13).
    case constantLuminance(ConstantLuminance)
    /// The planes are green, blue and red (H.273, MatrixCoefficients 0).
    case identity
    /// YCgCo (H.273, MatrixCoefficients 8).
    case yCgCo
    /// YCgCo-Re and YCgCo-Ro: lossless, with 2 and 1 bits more than RGB (H.273 of 2024,
    /// MatrixCoefficients 16 and 17).
    case reversibleYCgCo(extraBits: Int)

    init(_ colours: CodedColours) {
        switch colours.matrix {
        case 0: self = .identity
        case 8: self = .yCgCo
        case 16: self = .reversibleYCgCo(extraBits: 2)
        case 17: self = .reversibleYCgCo(extraBits: 1)
        case 10, 13: self = .constantLuminance(ConstantLuminance(colours))
        default:
            self = .weighted(ChromaWeights(matrix: colours.matrix, primaries: colours.primaries))
        }
    }
}

extension CodedColours {
    /// Name of a matrix that is not implemented (H.273, table 4); nil for all others.
    var unsupportedMatrix: String? {
        switch matrix {
        case 0, 1, 2, 4...10, 12, 13: nil
        case 11: "SMPTE ST 2085"
        case 14: "ICtCp"
        case 15: "IPT-C2"
        case 16, 17: isFullRange ? nil : "YCgCo-R in limited range"
        default: "reserved"
        }
    }

    var matrixRefusal: String? {
        unsupportedMatrix.map { "the colour matrix \(matrix) (\($0))" }
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
    /// Derives the weights from luma's weights (H.273, equations 38 to 40 solved for RGB);
    /// `primaries` matters for matrix 12 only.
    init(matrix: Int, primaries: Int) {
        guard let (red, blue) = CodedColours.lumaWeights(matrix: matrix, primaries: primaries)
        else {
            self = .unspecified
            return
        }
        redOfRed = 2 * (-red + 1)
        greenOfBlue = 2 * blue * (-blue + 1) / (blue + red - 1)
        greenOfRed = 2 * red * (-red + 1) / (blue + red - 1)
        blueOfBlue = 2 * (-blue + 1)
    }
}

extension CodedColours {
    /// Weights of red and blue in luma (H.273, table 4); nil for other matrices and unknown primaries.
    static func lumaWeights(matrix: Int, primaries: Int) -> (red: Float, blue: Float)? {
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
