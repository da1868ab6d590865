import AttachmentPlanning

/// Turns a picture upright.
///
/// All but the left-right mirror read the picture in another order than it is decoded in, so it is
/// held in memory first: call this on the reduced picture.
///
/// - Parameters:
///   - image: The picture as stored.
///   - orientation: How it must be turned.
/// - Returns: The picture as seen.
/// - Throws: `VipsError` with libvips' own words.
func orient(_ image: VipsImage, _ orientation: Orientation) throws(VipsError) -> VipsImage {
    switch orientation {
    case .upright: image
    case .mirrored: try image.flipped("horizontal")
    case .rotated180: try image.inMemory().rotated("d180")
    case .flipped: try image.inMemory().flipped("vertical")
    case .transposed: try image.inMemory().rotated("d90").flipped("horizontal")
    case .rotated90: try image.inMemory().rotated("d90")
    case .transversed: try image.inMemory().rotated("d270").flipped("horizontal")
    case .rotated270: try image.inMemory().rotated("d270")
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
