import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning

/// A held picture of libvips, or a reduction or part of one that is computed whenever it is read.
struct VipsStill: StillPicture {
    let image: VipsImage
    /// True if parts of it are held in memory.
    var isSmall = false

    var size: PixelSize { image.size }
    var isOpaque: Bool { !image.hasAlpha }
}

/// Steps of libvips on a held picture.
struct VipsSteps: StillsSteps {
    let context: RenderingContext

    func reduced(_ still: VipsStill, to size: PixelSize) throws(AttachmentError) -> VipsStill {
        guard size != still.size else { return still }
        return try context.decoding { () throws(VipsError) in
            let reduced = try resize(
                still.image, to: size, box: Planner.box(from: still.size, to: size),
                isLinear: context.settings.isLinear)
            return VipsStill(image: try reduced.withoutOpaqueAlpha())
        }
    }

    /// Drops alpha before any reduction, which may round an opaque sample down.
    func cut(
        _ still: VipsStill, to cutout: Cutout
    ) throws(AttachmentError) -> (picture: VipsStill, part: UnitRectangle?) {
        try context.decoding { () throws(VipsError) in
            let cut = try still.image.cut(cutout)
            let image = try (still.isSmall ? cut.inMemory() : cut).withoutOpaqueAlpha()
            return (VipsStill(image: image, isSmall: still.isSmall), cutout.part)
        }
    }

    func miniature(of still: VipsStill) throws(AttachmentError) -> Miniature {
        try context.decoding { () throws(VipsError) in try Miniature(of: still.image) }
    }

    func encode(
        _ still: VipsStill, by order: RenditionOrder
    ) throws(AttachmentError) -> EncodedRendition {
        let image = still.image
        guard !still.isSmall else {
            let picture = try context.decoding { () throws(VipsError) in
                try RenderedPicture(held: { image })
            }
            return try context.fit(picture, by: order, rerender: nil)
        }
        // Rows of two reductions at a time would be needed if later attempts read this graph.
        return try context.fit(
            RenderedPicture(streaming: image), by: order,
            rerender: { () throws(VipsError) in RenderedPicture(streaming: image) })
    }
}
