/// Colours of samples that a header states.
package struct HeaderColours: Sendable, Hashable {
    /// Length of the ICC profile, in bytes; 0 without one.
    package let profileBytes: Int
    /// Colours by tags, where they are not sRGB.
    package let tags: ColourTags?

    package init(profileBytes: Int, tags: ColourTags?) {
        (self.profileBytes, self.tags) = (profileBytes, tags)
    }
}
