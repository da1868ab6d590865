import Foundation

/// Pictures of public test suites, with a table of what other readers make of them.
///
/// They are not part of the package. `THIMBLE_CORPUS` names their folder; the default is `../shared/corpus`
/// beside the package.
package enum Corpus {
    /// Path of the folder.
    package static let folder =
        ProcessInfo.processInfo.environment["THIMBLE_CORPUS"]
        ?? URL(filePath: #filePath).appending(path: "../../../../../shared/corpus")
        .standardizedFileURL.path

    private static let table = path("MANIFEST.tsv")

    package static let isAvailable = FileManager.default.fileExists(atPath: table)

    package static func path(_ name: String) -> String { folder + "/" + name }

    /// Paths of the pictures whose names have one of the extensions, by name; empty without the folder.
    package static func files(_ extensions: String...) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
            .map { path($0) }
            .filter { extensions.contains(URL(filePath: $0).pathExtension) }
    }

    /// Paths of the animations that Pillow decodes.
    package static let animations = [
        "glide__transparent_disposal_background.gif", "libvips__cogs.gif",
        "libvips__dispose-previous.gif",
        "lilliput__complex_dispose_and_blend.webp", "lilliput__restore_previous.gif",
        "nuke__cat.gif", "sdwebimage__TestImageAnimated.apng",
    ].map(path)

    /// Path of an animation whose last frame is truncated.
    package static let truncatedAnimation = path("libvips__invalid_multiframe.gif")

    /// A row of the table.
    package struct Picture: Sendable, CustomStringConvertible {
        /// The file's name.
        package let file: String
        package let format: String
        /// Width and height, such as `300x200`, as stored or upright.
        package let size: String
        package let frames: String
        /// Keywords such as `progressive`, `grid tiles` or `10-bit`.
        package let notes: [String]
        /// `ok`, or how its project rejects it.
        package let expected: String

        package var path: String { Corpus.path(file) }
        package var description: String { file }
    }

    /// The rows of the table; empty without the folder.
    package static let pictures: [Picture] =
        ((try? String(contentsOfFile: table, encoding: .utf8)) ?? "")
        .split(separator: "\n").dropFirst().map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
                .map(String.init)
            return Picture(
                file: columns[0], format: columns[4], size: columns[5], frames: columns[6],
                notes: columns[7].split(separator: ";")
                    .map { $0.trimmingCharacters(in: .whitespaces) },
                expected: columns[8])
        }
}
