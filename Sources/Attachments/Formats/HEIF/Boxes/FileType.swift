import AttachmentModel

/// Brands of a file (ISO/IEC 14496-12, 4.3).
struct FileType {
    /// Limit on brands read; real files have at most a dozen.
    static let maximumBrands = 64

    let major: FourCC
    private(set) var brands: Set<FourCC>

    var isSequence: Bool { !brands.isDisjoint(with: Self.sequenceBrands) }
    var isPicture: Bool { isSequence || !brands.isDisjoint(with: Self.stillBrands) }

    /// Still picture brands (ISO/IEC 23008-12, 10.2 and annex B; MIAF; AVIF 1.1, section 6.2).
    private static let stillBrands: Set<FourCC> = [
        "mif1", "mif2", "miaf", "heic", "heix", "heim", "heis", "avif",
    ]
    private static let sequenceBrands: Set<FourCC> = [
        "msf1", "hevc", "hevx", "hevm", "hevs", "avis",
    ]

    init(_ box: Box) throws(HeaderFault) {
        var payload = box.payload
        major = try payload.fourCC()
        brands = [major]
        try payload.skip(4)
        while payload.remaining >= 4, brands.count < Self.maximumBrands {
            brands.insert(try payload.fourCC())
        }
    }

    static func read(
        _ reader: BoundedReader
    ) throws(HeaderFault) -> (fileType: FileType, boxes: BoxSequence) {
        var boxes = BoxSequence(Cursor(reader, from: 0))
        guard let first = try boxes.next() else { throw .truncated(at: reader.length) }
        return (try FileType(first), boxes)
    }
}
