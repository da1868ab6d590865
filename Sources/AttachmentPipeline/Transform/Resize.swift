import AttachmentContainer

/// Reduces a picture to a size with a Lanczos kernel of three lobes; never enlarges.
///
/// Transparent pictures are reduced premultiplied, so that colours hidden under transparency do not
/// bleed into their neighbours.
///
/// - Parameters:
///   - image: The picture, in any colours.
///   - size: The size wanted, in pixels; no side is longer than the picture's.
/// - Returns: The picture at that size, with samples as deep as before.
/// - Throws: `VipsError` with libvips' own words.
func resize(_ image: VipsImage, to size: PixelSize) throws(VipsError) -> VipsImage {
    guard image.size != size else { return image }
    guard image.hasAlpha else { return try reduce(image, to: size) }
    let depth = image.isDeep ? "ushort" : "uchar"
    return try reduce(image.applying("premultiply"), to: size)
        .applying("unpremultiply")
        .applying("cast", ["format": .name(depth)])
}

private func reduce(_ image: VipsImage, to size: PixelSize) throws(VipsError) -> VipsImage {
    try image.applying(
        "resize",
        [
            "scale": .double(min(1, Double(size.width) / Double(image.size.width))),
            "vscale": .double(min(1, Double(size.height) / Double(image.size.height))),
        ])
}
