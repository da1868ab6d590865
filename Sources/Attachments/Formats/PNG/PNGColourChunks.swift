import AttachmentModel

/// Chunks that describe colours in numbers (PNG specification, third edition, 11.3.2).
///
/// cICP precedes sRGB, which precedes gAMA and cHRM (4.3). In the specification, cICP precedes an
/// ICC profile too. Here a profile comes first, as in all formats, since it also describes the
/// rendering of high dynamic range. Chunks after the palette and repeated ones are ignored, as by
/// libpng.
struct PNGColourChunks {
    static let types: [FourCC] = ["cICP", "sRGB", "gAMA", "cHRM"]

    /// Bytes of the longest chunk.
    static let longest = 32

    private var data: [FourCC: [UInt8]] = [:]

    mutating func add(_ type: FourCC, _ bytes: [UInt8]) {
        if data[type] == nil { data[type] = bytes }
    }

    /// Nil for sRGB.
    func tags(isGrey: Bool) -> ColourTags? {
        guard let tags, tags.note != nil || tags.changesColours(isGrey: isGrey) else { return nil }
        return tags
    }

    private var tags: ColourTags? {
        // Samples are RGB, so the matrix is 0.
        if let bytes = data["cICP"], bytes.count == 4, bytes[2] == 0 {
            return Self.codePoints(bytes)
        }
        return data["sRGB"]?.count == 1 ? nil : numbers
    }

    private static func codePoints(_ bytes: [UInt8]) -> ColourTags? {
        let tags = ColourTags(primaries: Int(bytes[0]), transfer: Int(bytes[1]))
        guard bytes[3] == 0 else { return tags }
        return ColourTags(
            tags?.chromaticities, tags?.transfer,
            note: "samples of limited range were taken for full range")
    }

    /// Tags of gAMA and cHRM; each defaults to sRGB's, as in Skia.
    private var numbers: ColourTags? {
        var notes: [String] = []
        var chromaticities: Chromaticities?
        if let bytes = data["cHRM"], bytes.count == 32 {
            chromaticities = Self.chromaticities(bytes)
            if chromaticities == nil { notes.append("unusable primaries were ignored") }
        }
        var transfer: TransferFunction?
        if let bytes = data["gAMA"], bytes.count == 4 {
            let gamma = bytes.reduce(0) { $0 << 8 | Int($1) }
            transfer = Self.function(gamma, hasOwnPrimaries: chromaticities ?? .bt709 != .bt709)
            if transfer == nil { notes.append("a gamma of \(gamma) / 100000 was ignored") }
        }
        return ColourTags(
            chromaticities, transfer, note: notes.isEmpty ? nil : notes.joined(separator: "; "))
    }

    /// Nil for an exponent that no display has, which would show a black or white picture.
    ///
    /// With the primaries of sRGB, 1/2.2 within 5 percent is sRGB (libpng, `PNG_GAMMA_THRESHOLD_FIXED`).
    private static func function(_ gamma: Int, hasOwnPrimaries: Bool) -> TransferFunction? {
        guard 10_000...1_000_000 ~= gamma else { return nil }
        let exponent = 100_000 / Double(gamma)
        let isSRGB = !hasOwnPrimaries && abs(2.2 / exponent - 1) <= 0.05
        return isSRGB ? .sRGB : .gamma(exponent)
    }

    /// Points within 0.001 of sRGB's count as equal (libpng, `png_colorspace_endpoints_match`).
    private static func chromaticities(_ bytes: [UInt8]) -> Chromaticities? {
        let values = stride(from: 0, to: 32, by: 4).map { start in
            Float(bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }) / 100_000
        }
        let points = stride(from: 0, to: 8, by: 2).map {
            Chromaticities.Point(values[$0], values[$0 + 1])
        }
        let read = Chromaticities(points[1], points[2], points[3], white: points[0])
        guard read.isUsable else { return nil }
        let srgb = Chromaticities.bt709
        let isSRGB = zip(points, [srgb.white, srgb.red, srgb.green, srgb.blue]).allSatisfy {
            abs($0.x - $1.x) <= 0.00101 && abs($0.y - $1.y) <= 0.00101
        }
        return isSRGB ? srgb : read
    }
}
