import AttachmentContainer
import AttachmentFormats
import AttachmentModel

extension Miniature {
    /// Reduces a view to the size of a placeholder.
    init(of view: PictureView, _ context: RenderingContext) throws(DecodingFault) {
        let size = Miniature.size(of: view.size)
        let small = try reduce(
            PictureViewRows(view), to: size, asRGB: true, isLinear: context.settings.isLinear,
            scratch: nil,
            isCancelled: context.isCancelled)
        let (colours, bands) = (small.colours, small.colours.bands)
        let samples = small.planes[0].samples
        var rgba = [UInt8](repeating: 255, count: 4 * size.pixelCount)
        for pixel in 0..<size.pixelCount {
            let first = pixel * bands
            for colour in 0..<3 {
                rgba[4 * pixel + colour] = samples[first + (colours.isGrey ? 0 : colour)]
            }
            if colours.hasAlpha { rgba[4 * pixel + 3] = samples[first + bands - 1] }
        }
        self.init(size: size, rgba: rgba)
    }
}
