import AttachmentContainer
import AttachmentPlanning

/// Reduces a picture to a size with a Lanczos kernel; never enlarges.
///
/// Transparent pictures are reduced premultiplied, so that colours hidden under transparency do not
/// bleed into their neighbours.
///
/// - Parameters:
///   - image: The picture, in any colours.
///   - size: The size wanted, in pixels; no side is longer than the picture's.
///   - kernel: The kernel for the horizontal pass. The default is the one with three lobes.
/// - Returns: The picture at that size, with samples as deep as before.
/// - Throws: `VipsError` with libvips' own words.
func resize(
    _ image: VipsImage, to size: PixelSize, horizontally kernel: Plan.Kernel = .lanczos3
) throws(VipsError) -> VipsImage {
    guard image.size != size else { return image }
    guard image.hasAlpha else { return try reduce(image, to: size, kernel) }
    let depth = image.isDeep ? "ushort" : "uchar"
    return try reduce(image.applying("premultiply"), to: size, kernel)
        .applying("unpremultiply")
        .applying("cast", ["format": .name(depth)])
}

private func reduce(
    _ image: VipsImage, to size: PixelSize, _ kernel: Plan.Kernel
) throws(VipsError) -> VipsImage {
    let horizontal = max(1, Double(image.size.width) / Double(size.width))
    let vertical = max(1, Double(image.size.height) / Double(size.height))
    if kernel == .lanczos3 {
        // The two passes below, after a box filter where the reduction is large.
        return try image.applying(
            "resize", ["scale": .double(1 / horizontal), "vscale": .double(1 / vertical)])
    }
    // The vertical pass first: it leaves fewer rows to the dearer horizontal one.
    return
        try image
        .applying("reducev", ["vshrink": .double(vertical), "kernel": .name("lanczos3")])
        .applying("reduceh", ["hshrink": .double(horizontal), "kernel": .name(kernel.rawValue)])
}
