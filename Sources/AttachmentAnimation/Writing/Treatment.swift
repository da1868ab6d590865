/// How much of a frame's look is given up for fewer bytes.
package struct Treatment: Hashable, Sendable {
    /// The most colours of a frame, 2 to 255.
    package let colours: Int
    /// How far a channel may drift from what is shown before a pixel is drawn anew, in levels.
    package let tolerance: Int
    /// How much of the difference between a pixel and its colour is passed on to its neighbours, in
    /// sixteenths.
    package let dithering: Int
    /// How far colours may differ to be taken for each other where that makes a string longer, in
    /// levels of a channel.
    package let lossiness: Int

    /// As good as a GIF can be.
    ///
    /// Dithering at three quarters hides bands as well as all of it, with a tenth fewer bytes.
    static let best = Treatment(colours: 255, tolerance: 0, dithering: 12, lossiness: 0)
    /// All colours, similar strings: what differs is seen beside the original only.
    static let similar = Treatment(colours: 255, tolerance: 3, dithering: 8, lossiness: 8)
    /// Half of the colours, and coarser.
    static let fewerColours = Treatment(colours: 127, tolerance: 5, dithering: 4, lossiness: 12)
    /// A quarter of the colours, without dithering: bands are seen.
    static let fewColours = Treatment(colours: 63, tolerance: 8, dithering: 0, lossiness: 20)

    /// All of them, best first.
    static let ladder = [best, similar, fewerColours, fewColours]
}
