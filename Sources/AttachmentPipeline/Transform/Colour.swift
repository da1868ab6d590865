import AttachmentPlanning

/// Brings a picture into the colours that renditions are written in, eight bits a sample.
///
/// An embedded profile is honoured; without one, inks are taken for those of libvips' built-in
/// press profile, everything else for sRGB. Greys without a profile stay grey.
///
/// - Parameters:
///   - image: The picture, in the file's colours.
///   - space: The colour space wanted.
/// - Returns: Grey or RGB, eight bits a sample, with alpha if there was any. It carries a profile
///   only if it is in Display P3.
/// - Throws: `VipsError` with libvips' own words.
func convertColour(
    _ image: VipsImage, to space: ProcessingSettings.ColourSpace
) throws(VipsError) -> VipsImage {
    guard image.hasProfile || image.isCMYK else {
        return try image.applying("colourspace", ["space": .name(image.isGrey ? "b-w" : "srgb")])
    }
    // libvips would carry deep alpha over to eight bits without scaling it.
    if image.isDeep, let alpha = try image.alpha() {
        let scaled =
            try alpha
            .applying("linear", ["a": .doubles([1.0 / 257]), "b": .doubles([0.5])])
            .applying("cast", ["format": .name("uchar")])
            // Joined bands take over the fields of both pictures, the old profile among them.
            .removingMetadata(keepingProfile: false)
        return try convertColour(image.colours(), to: space).joined(with: scaled)
    }
    let keepsP3 = space == .displayP3 && image.isWiderThanSRGB
    let converted = try image.applying(
        "icc_transform",
        [
            "output_profile": .name(keepsP3 ? "p3" : "srgb"),
            "input_profile": .name(image.isCMYK ? "cmyk" : "srgb"),
            "embedded": .bool(true),
            "intent": .name(image.renderingIntent),
        ])
    return try converted.removingMetadata(keepingProfile: keepsP3)
}
