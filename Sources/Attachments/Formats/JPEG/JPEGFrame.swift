internal import AttachmentContainer
internal import AttachmentModel

/// JPEG frame header (ITU-T T.81, B.2.2).
struct JPEGFrame {
    enum Process {
        case sequential
        case progressive
        case arithmetic
    }

    let process: Process
    let size: PixelSize
    let colourModel: ColourModel
    /// Identifiers and sampling factors of the components.
    private(set) var identifiers: [UInt8] = []
    private(set) var sampling: [JPEGSampling.Factors] = []

    init(_ segment: inout Cursor, marker: UInt8) throws(HeaderFault) {
        switch marker {
        case 0xC0, 0xC1: process = .sequential
        case 0xC2: process = .progressive
        case 0xC9, 0xCA: process = .arithmetic
        case 0xC3, 0xCB: throw .unsupported("a lossless JPEG")
        case 0xC8: throw .unsupported("a JPEG with a reserved coding")
        default: throw .unsupported("a hierarchical JPEG")
        }
        let precision = try segment.uint8()
        let height = Int(try segment.uint16())
        let width = Int(try segment.uint16())
        let count = Int(try segment.uint8())
        guard precision == 8 else {
            throw .unsupported("a JPEG of \(precision) bits a sample")
        }
        // T.81, B.2.5: the height may follow the first scan, in a DNL segment.
        guard height > 0 || width == 0 else {
            throw .unsupported("a JPEG whose height follows its first scan")
        }
        size = try PixelSize(claimed: width, height)
        switch count {
        case 1: colourModel = .grey
        case 3: colourModel = .rgb
        case 4: colourModel = .cmyk
        default: throw .unsupported("a JPEG of \(count) components")
        }
        for _ in 0..<count {
            identifiers.append(try segment.uint8())
            let factors = try segment.uint8()
            let (horizontal, vertical) = (Int(factors >> 4), Int(factors & 0xF))
            guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
                throw .corrupt(
                    "a sampling factor of \(horizontal)x\(vertical)", at: segment.offset - 1)
            }
            try segment.skip(1)
            sampling.append(.init(horizontal, vertical))
        }
        guard segment.remaining == 0 else {
            throw .corrupt("a frame header that is too long", at: segment.offset)
        }
    }
}
