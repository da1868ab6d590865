/// Colour type of a PNG (PNG specification, third edition, table 12).
enum PNGColourType: UInt8 {
    case grey = 0
    case colour = 2
    case palette = 3
    case greyAlpha = 4
    case colourAlpha = 6

    /// Samples per pixel in the image data.
    var samples: Int {
        switch self {
        case .grey, .palette: 1
        case .greyAlpha: 2
        case .colour: 3
        case .colourAlpha: 4
        }
    }

    var hasAlpha: Bool { self == .greyAlpha || self == .colourAlpha }
    var isGrey: Bool { self == .grey || self == .greyAlpha }

    func allows(bitDepth: Int) -> Bool {
        switch self {
        case .grey: [1, 2, 4, 8, 16].contains(bitDepth)
        case .palette: [1, 2, 4, 8].contains(bitDepth)
        case .colour, .greyAlpha, .colourAlpha: [8, 16].contains(bitDepth)
        }
    }
}
