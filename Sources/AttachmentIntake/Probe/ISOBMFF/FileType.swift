/// The brands that a file claims (ISO/IEC 14496-12, 4.3).
struct FileType {
    /// How many brands are looked at; real files have at most a dozen.
    static let maximumBrands = 64

    /// Whether a brand speaks of an image sequence.
    let isSequence: Bool

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
    /// - Throws: `unsupported` when no brand is one of HEIF or AVIF; `corrupt`, `truncated`,
    ///   `overBudget`, `unreadable`.
    init(_ box: Box) throws(HeaderFault) {
        var payload = box.payload
        let major = try payload.fourCC()
        var brands: Set<FourCC> = [major]
        try payload.skip(4)
        while payload.remaining >= 4, brands.count < Self.maximumBrands {
            brands.insert(try payload.fourCC())
        }
        isSequence = !brands.isDisjoint(with: Self.sequenceBrands)
        guard isSequence || !brands.isDisjoint(with: Self.stillBrands) else {
            throw .unsupported("it looks like a movie (brand '\(major)')")
        }
    }
}
