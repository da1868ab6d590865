import AttachmentFormats
import AttachmentModel

/// All orientations except upright and left-right mirrored change the reading order, so the picture
/// is held first: call this after the reduction.
func orient(
    _ image: VipsImage, _ orientation: Orientation, in scratch: ScratchSpace?
) throws(VipsError) -> RenderedPicture {
    switch orientation {
    case .upright:
        return RenderedPicture(streaming: image)
    case .mirrored:
        return RenderedPicture(streaming: try image.flipped("horizontal"))
    case .rotated180:
        let held = try hold(image, in: scratch)
        return try RenderedPicture(held: { () throws(VipsError) in try held.rotated("d180") })
    case .flipped:
        let held = try hold(image, in: scratch)
        return try RenderedPicture(held: { () throws(VipsError) in try held.flipped("vertical") })
    case .rotated90, .rotated270:
        let turned = try turn(
            image, orientation == .rotated90 ? .clockwise : .anticlockwise, in: scratch)
        return try RenderedPicture(held: turned.read, order: turned.order)
    case .transposed, .transversed:
        let turned = try turn(
            image, orientation == .transposed ? .clockwise : .anticlockwise, in: scratch)
        return try RenderedPicture(
            held: { () throws(VipsError) in try turned.read().flipped("horizontal") },
            order: turned.order)
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
