/// The brands that a file claims (ISO/IEC 14496-12, 4.3).
struct FileType {
    /// How many brands are looked at; real files have at most a dozen.
    static let maximumBrands = 64

    /// The brand that the file was made for.
    let major: FourCC
    /// All brands, the major one among them.
    let brands: Set<FourCC>

    /// Whether a brand speaks of an image sequence.
    var isSequence: Bool { !brands.isDisjoint(with: Self.sequenceBrands) }
    /// Whether a brand speaks of a picture, still or not.
    var isPicture: Bool { isSequence || !brands.isDisjoint(with: Self.stillBrands) }

    /// Still pictures (ISO/IEC 23008-12, 10.2 and annex B; MIAF; AVIF 1.1, section 6.2).
    private static let stillBrands: Set<FourCC> = [
        "mif1", "mif2", "miaf", "heic", "heix", "heim", "heis", "avif",
    ]
    /// Image sequences (the same sources).
    private static let sequenceBrands: Set<FourCC> = [
        "msf1", "hevc", "hevx", "hevm", "hevs", "avis",
    ]

    /// Reads the box.
    ///
    /// - Parameter box: The first box of the file.
    /// - Throws: `corrupt`, `truncated`, `overBudget`, `unreadable`.
    init(_ box: Box) throws(HeaderFault) {
        var payload = box.payload
        major = try payload.fourCC()
        var brands: Set<FourCC> = [major]
        try payload.skip(4)
        while payload.remaining >= 4, brands.count < Self.maximumBrands {
            brands.insert(try payload.fourCC())
        }
        self.brands = brands
    }

    /// Whether a file that begins with this box is a picture.
    ///
    /// - Parameter reader: The file.
    /// - Returns: True when a brand speaks of one.
    /// - Throws: As the initializer.
    static func isPicture(_ reader: BoundedReader) throws(HeaderFault) -> Bool {
        var boxes = BoxSequence(Cursor(reader, from: 0))
        guard let first = try boxes.next() else { throw .truncated(at: reader.length) }
        return try FileType(first).isPicture
    }
}
