import Foundation

/// A folder of real pictures, which is no part of the package: `THIMBLE_CORPUS` names it, else it is
/// looked for beside the package.
package enum AnimationCorpus {
    package static let folder =
        ProcessInfo.processInfo.environment["THIMBLE_CORPUS"]
        ?? URL(filePath: #filePath).appending(path: "../../../../shared/corpus")
        .standardizedFileURL.path

    package static let isThere = FileManager.default.fileExists(atPath: folder + "/MANIFEST.tsv")

    /// Its animations that Pillow decodes.
    package static let files = [
        "glide__transparent_disposal_background.gif", "libvips__cogs.gif",
        "libvips__dispose-previous.gif",
        "lilliput__complex_dispose_and_blend.webp", "lilliput__restore_previous.gif",
        "nuke__cat.gif", "sdwebimage__TestImageAnimated.apng",
    ].map { folder + "/" + $0 }

    /// One whose last frame ends early.
    package static let damaged = folder + "/libvips__invalid_multiframe.gif"
}
