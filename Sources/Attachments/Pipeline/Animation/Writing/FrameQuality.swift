/// Quality reduction of frames for smaller files.
package struct FrameQuality: Hashable, Sendable {
    /// Limit on the colours of a frame, 2 to 255.
    package let colours: Int
    /// Change of a channel, in levels, below which a pixel is not redrawn.
    package let tolerance: Int
    /// Diffused share of the dithering error in sixteenths.
    package let dithering: Int
    /// Difference per channel, in levels, up to which colours are interchangeable for longer
    /// strings.
    package let lossiness: Int

    /// Best quality of a GIF.
    ///
    /// Diffusing ten sixteenths of the error hides bands as well as all of it, with a seventh fewer
    /// bytes.
    static let best = FrameQuality(colours: 255, tolerance: 0, dithering: 10, lossiness: 0)
    /// All colours, with similar strings; visible only next to the original.
    static let similar = FrameQuality(colours: 255, tolerance: 3, dithering: 8, lossiness: 8)
    /// Half of the colours, coarser.
    static let fewerColours = FrameQuality(colours: 127, tolerance: 5, dithering: 4, lossiness: 12)
    /// A quarter of the colours, without dithering; bands are visible.
    static let fewColours = FrameQuality(colours: 63, tolerance: 8, dithering: 0, lossiness: 20)

    static let ladder = [best, similar, fewerColours, fewColours]
}
