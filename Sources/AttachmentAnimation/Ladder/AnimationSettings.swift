package import AttachmentPlanning

/// What is asked of an animation for the content extension.
package struct AnimationSettings: Hashable, Sendable {
    /// The widest output, in pixels.
    ///
    /// The default is 1320: the widest iPhone at 3×.
    package var width = 1320
    /// The highest output, in pixels.
    ///
    /// The default is 1320.
    package var height = 1320
    /// The most bytes of the output.
    ///
    /// The default is 10 MB, what the system takes of an image.
    package var bytes = 10_000_000
    /// What the content extension may hold of decoded frames, in bytes: width × height × 4 × frames.
    ///
    /// The default is 48 MiB. A view that plays an animated image holds all of its frames decoded,
    /// and no figure is published for content extensions; where one is known for another extension
    /// that shows pictures, it is 120 MB, of which the interface and what it is drawn from take
    /// their share: 48 MiB leave more than half.
    package var renderBytes = 48 << 20
    /// The longer side below which frames are rather left out, in pixels.
    ///
    /// The default is 240: less than that is smaller than the banner's 264.
    package var smallestSide = 240
    /// The longest that frames are shown on average when some are left out, in thousandths of a
    /// second.
    ///
    /// The default is 200: with fewer than five frames a second movement falls apart.
    package var longestMeanDelay = 200
    /// The shortest that an animation is cut to, in thousandths of a second.
    ///
    /// The default is 2000.
    package var shortestDuration = 2000
    /// What is refused.
    package var limits = AnimationLimits()

    /// Makes settings with all defaults.
    package init() {}
}
