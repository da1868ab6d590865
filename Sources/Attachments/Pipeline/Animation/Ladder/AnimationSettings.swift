package import AttachmentModel
internal import AttachmentPlanning

/// Output limits for animations; sizes in pixels.
package struct AnimationSettings: Hashable, Sendable {
    /// The widest iPhone at 3×.
    package var width = 1320
    package var height = 1320
    /// Limit on the file size in bytes: the system's for images.
    package var bytes = 10_000_000
    /// Limit on the decoded frames in the content extension, in bytes: width × height × 4 × frames.
    ///
    /// A view that plays an animated image keeps all frames decoded. No limit is published for
    /// content extensions; a known limit for a similar extension is 120 MB, which also covers the
    /// interface. 48 MiB leave more than half.
    package var renderBytes = 48 << 20
    /// Longer side below which frames are dropped instead of reducing the size further.
    package var smallestSide = AnimationDemand.smallestSide
    /// Limit on the mean display time of a frame in milliseconds, when frames are dropped: below
    /// five frames a second, motion breaks up.
    package var longestMeanDelay = 200
    /// Limit on cutting the end: the shortest duration in milliseconds.
    package var shortestDuration = 2000
    package var limits = AnimationLimits()

    package init() {}
}
