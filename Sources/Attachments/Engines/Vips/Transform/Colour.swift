import AttachmentFormats
import AttachmentModel
import AttachmentPipeline

/// Converts a picture to the colours of renditions: grey or RGB, 8 bits a sample, alpha kept.
///
/// A usable embedded profile is honoured, or one of tags. Without any, CMYK is read with libvips' built-in press profile,
/// and everything else as sRGB; greys stay grey. The result has a profile only in Display P3.
///
/// - Parameters:
///   - image: The picture, reduced.
///   - space: The colour space of renditions.
///   - expectsProfile: True if the header promises a profile.
///   - tags: The file's colours without a profile; nil for sRGB.
/// - Returns: The picture, and a note if its profile was ignored.
/// - Throws: `VipsError` if a step fails without the profile too.
func convertColour(
    _ image: VipsImage, to space: ProcessingSettings.ColourSpace, expectsProfile: Bool,
    tags: ColourTags? = nil
) throws(VipsError) -> (image: VipsImage, note: String?) {
    let colours = SourceColours(
        image.isCMYK ? .cmyk : image.isGrey ? .grey : .rgb, profile: image.profile,
        isExpected: expectsProfile, tags: tags)
    guard let profile = colours.profile else {
        let plain = image.hasProfile ? try image.removingProfile() : image
        return (try convert(plain, to: space), colours.note)
    }
    do {
        let described = colours.isOfTags ? try image.settingProfile(profile) : image
        return (try convert(described, to: space), colours.note)
    } catch {
        // Little CMS refuses some profiles whose parts are in their places.
        return (try convert(image.removingProfile(), to: space), ColourProfile.unreadable)
    }
}

private func convert(
    _ image: VipsImage, to space: ProcessingSettings.ColourSpace
) throws(VipsError) -> VipsImage {
    guard image.hasProfile || image.isCMYK else {
        return try image.applying("colourspace", ["space": .name(image.isGrey ? "b-w" : "srgb")])
    }
    // libvips would not scale 16-bit alpha to 8 bits.
    if image.isDeep, let alpha = try image.alpha() {
        let scaled =
            try alpha
            .applying("linear", ["a": .doubles([1.0 / 257]), "b": .doubles([0.5])])
            .applying("cast", ["format": .name("uchar")])
            // `bandjoin` would copy the old profile and other fields.
            .removingMetadata(keepingProfile: false)
        return try convert(image.colours(), to: space).joined(with: scaled)
    }
    let keepsP3 = space == .displayP3 && image.isWiderThanSRGB
    let converted = try image.applying(
        "icc_transform",
        [
            "output_profile": .name(keepsP3 ? "p3" : "srgb"),
            "input_profile": .name(image.isCMYK ? "cmyk" : "srgb"),
            "embedded": .bool(true),
            "intent": .name(image.renderingIntent),
            // As the engine of rows: see `ProfileConversion`. Without it, the darkest inks of the
            // built-in press profile are 34 to 46 of 255.
            "black_point_compensation": .bool(true),
        ])
    return try converted.removingMetadata(keepingProfile: keepsP3)
}
