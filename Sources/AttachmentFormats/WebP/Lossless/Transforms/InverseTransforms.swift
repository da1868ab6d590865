/// Applies the inverse transforms of an image row by row (RFC 9649, section 3.5).
struct InverseTransforms {
    /// In file order; the last one is reversed first.
    private var transforms: [Transform] = []
    /// Pixels in a row of the coded image.
    private(set) var codedWidth: Int
    private var row: PixelRow
    /// Row for the steps after the predictor, which keeps its own row; nil if no step follows.
    private var spare: PixelRow?

    private enum Transform {
        case predictor(PredictorTransform)
        case crossColour(CrossColourTransform)
        case subtractGreen(width: Int)
        case colourIndexing(ColourIndexingTransform)
    }

    /// Reads all transforms.
    ///
    /// Large tables go to scratch; nil means the heap.
    init(
        _ source: BitSource, width: Int, height: Int, scratch: ScratchSpace?
    ) throws(DecodingFault) {
        codedWidth = width
        row = PixelRow(width: width)
        var seen: Set<Int> = []
        while try source.readFlag() {
            let kind = try source.read(2)
            guard seen.insert(kind).inserted else {
                throw source.fault(.corrupt, "a transform occurs twice")
            }
            switch kind {
            case 0:
                transforms.append(
                    .predictor(
                        try PredictorTransform(
                            source, width: codedWidth, height: height, scratch: scratch)))
            case 1:
                transforms.append(
                    .crossColour(
                        try CrossColourTransform(
                            source, width: codedWidth, height: height, scratch: scratch)))
            case 2:
                transforms.append(.subtractGreen(width: codedWidth))
            default:
                let indexing = try ColourIndexingTransform(source, width: codedWidth)
                transforms.append(.colourIndexing(indexing))
                codedWidth = indexing.bundledWidth
            }
        }
        if let first = transforms.first, case .predictor = first { return }
        if seen.contains(0) { spare = PixelRow(width: width) }
    }

    /// Returns the next row after all inverse transforms, valid until the next call.
    ///
    /// `fill` writes `codedWidth` coded pixels.
    mutating func nextRow(
        _ fill: (UnsafeMutablePointer<UInt32>) throws(DecodingFault) -> Void
    ) throws(DecodingFault) -> UnsafePointer<UInt32> {
        try fill(row.pixels)
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
