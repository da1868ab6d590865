package import Foundation

/// Small files that other software writes or reads differently, in `Tests/Support`.
package enum ForeignFile {
    private static let support = URL(filePath: #filePath).appending(path: "../..")
        .standardizedFileURL

    /// A file of `ForeignPictures`, such as `gif/zero-at-end.gif`, or a folder of it.
    package static func picture(_ name: String) -> URL {
        support.appending(path: "ForeignPictures").appending(path: name)
    }

    /// A file of `Fixtures/HEIF`.
    package static func heif(_ name: String) -> URL {
        support.appending(path: "Fixtures/HEIF").appending(path: name)
    }
}
