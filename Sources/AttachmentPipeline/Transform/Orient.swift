import AttachmentPlanning

/// Turns a picture upright.
///
/// All but the left-right mirror read the picture in another order than it is decoded in, so it is
/// held first: call this on the reduced picture.
///
/// - Parameters:
///   - image: The picture as stored.
///   - orientation: How it must be turned.
///   - context: Where it is held.
/// - Returns: The picture as seen.
/// - Throws: `VipsError` with libvips' own words.
func orient(
    _ image: VipsImage, _ orientation: Orientation, _ context: RenderingContext
) throws(VipsError) -> VipsImage {
    switch orientation {
    case .upright: image
    case .mirrored: try image.flipped("horizontal")
    case .rotated180: try hold(image, context).rotated("d180")
    case .flipped: try hold(image, context).flipped("vertical")
    case .transposed: try turn(image, .clockwise, context).flipped("horizontal")
    case .rotated90: try turn(image, .clockwise, context)
    case .transversed: try turn(image, .anticlockwise, context).flipped("horizontal")
    case .rotated270: try turn(image, .anticlockwise, context)
    }
}

extension VipsImage {
    fileprivate func rotated(_ angle: String) throws(VipsError) -> VipsImage {
        try applying("rot", ["angle": .name(angle)])
    }

    fileprivate func flipped(_ direction: String) throws(VipsError) -> VipsImage {
        try applying("flip", ["direction": .name(direction)])
    }
}
