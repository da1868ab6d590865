import Foundation

/// Folder of real pictures outside the package: `THIMBLE_CORPUS`, or a default next to the package.
package enum AnimationCorpus {
    package static let folder =
        ProcessInfo.processInfo.environment["THIMBLE_CORPUS"]
        ?? URL(filePath: #filePath).appending(path: "../../../../shared/corpus")
        .standardizedFileURL.path

    package static let isAvailable =
        FileManager.default.fileExists(atPath: folder + "/MANIFEST.tsv")

    /// Animations in the corpus that Pillow decodes.
    package static let files = [
        "glide__transparent_disposal_background.gif", "libvips__cogs.gif",
        "libvips__dispose-previous.gif",
        "lilliput__complex_dispose_and_blend.webp", "lilliput__restore_previous.gif",
        "nuke__cat.gif", "sdwebimage__TestImageAnimated.apng",
    ].map { folder + "/" + $0 }

    /// An animation whose last frame is truncated.
    package static let damaged = folder + "/libvips__invalid_multiframe.gif"
}
