import SampleMedia

/// Animations of the corpus.
package enum AnimationCorpus {
    package static let isAvailable = Corpus.isAvailable

    /// Those that Pillow decodes.
    package static let files = [
        "glide__transparent_disposal_background.gif", "libvips__cogs.gif",
        "libvips__dispose-previous.gif",
        "lilliput__complex_dispose_and_blend.webp", "lilliput__restore_previous.gif",
        "nuke__cat.gif", "sdwebimage__TestImageAnimated.apng",
    ].map(Corpus.path)

    /// An animation whose last frame is truncated.
    package static let damaged = Corpus.path("libvips__invalid_multiframe.gif")
}
