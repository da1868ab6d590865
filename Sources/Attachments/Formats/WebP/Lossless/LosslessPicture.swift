/// An image in WebP's lossless coding, from its transforms on (RFC 9649, section 3).
final class LosslessPicture {
    /// In file order; the last one is reversed first (section 3.5).
    private var transforms: [Transform] = []
    private var image: EntropyCodedImage
    private var row: PixelRow
    /// Row for the steps after the predictor, which keeps its own row; nil if no step follows.
    private let spare: PixelRow?

    private enum Transform {
        case predictor(PredictorTransform)
        case crossColour(CrossColourTransform)
        case subtractGreen(width: Int)
        case colourIndexing(ColourIndexingTransform)
    }

    init(
        _ source: BitSource, width: Int, height: Int, limits: EntropyCodedImage.Limits
    ) throws(DecodingFault) {
        row = PixelRow(width: width)
        var codedWidth = width
        var isPredictorFirst = false
        var seen: Set<Int> = []
        while try source.readFlag() {
            let kind = try source.read(2)
            guard seen.insert(kind).inserted else {
                throw source.fault(.corrupt, "a transform occurs twice")
            }
            switch kind {
            case 0:
                isPredictorFirst = transforms.isEmpty
                transforms.append(
                    .predictor(
                        try PredictorTransform(
                            source, width: codedWidth, height: height, scratch: limits.scratch)))
            case 1:
                transforms.append(
                    .crossColour(
                        try CrossColourTransform(
                            source, width: codedWidth, height: height, scratch: limits.scratch)))
            case 2:
                transforms.append(.subtractGreen(width: codedWidth))
            default:
                let indexing = try ColourIndexingTransform(source, width: codedWidth)
                transforms.append(.colourIndexing(indexing))
                codedWidth = indexing.bundledWidth
            }
        }
        spare = seen.contains(0) && !isPredictorFirst ? PixelRow(width: width) : nil
        image = try EntropyCodedImage(
            source, width: codedWidth, height: height, limits: limits, isMain: true)
    }

    /// ARGB words, alpha in the highest byte, valid until the next call.
    func nextRow() throws(DecodingFault) -> UnsafePointer<UInt32> {
        try image.readRow(into: row.pixels)
        var current = row
        for transform in transforms.reversed() {
            switch transform {
            case .predictor(let predictor):
                row = predictor.undo(current)
                guard let spare else { break }
                spare.pixels.update(from: current.pixels, count: predictor.width)
                current = spare
            case .crossColour(let crossColour):
                crossColour.undo(current)
            case .subtractGreen(let width):
                SubtractGreen.undo(current, width: width)
            case .colourIndexing(let indexing):
                indexing.undo(current)
            }
        }
        return UnsafePointer(current.pixels)
    }
}
