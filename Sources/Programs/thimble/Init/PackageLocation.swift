import NotificationCheck
import ThimbleOptions

/// The place of Thimble's package, as the manifest of a project names it.
enum PackageLocation {
    case path(String)
    case url(String)

    /// Creates a location; nil for text that the manifests cannot quote.
    init?(_ text: String) {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && $0.value != 0x7F && $0 != "\"" && $0 != "\\"
        }
        guard !text.isEmpty, text.utf8.count <= 1024, isPlain else { return nil }
        self = text.contains("://") || text.hasPrefix("git@") ? .url(text) : .path(text)
    }

    var text: String {
        switch self {
        case .path(let text), .url(let text): text
        }
    }

    /// The declarations of a package by its path, and those that take their place for this package.
    var substitutions: [String: String] {
        let common = ["__PACKAGE__": text, "__VERSION__": Release.version]
        guard case .url(let url) = self else { return common }
        return common.merging([
            // XcodeGen
            "    path: \"__PACKAGE__\"": "    url: \"\(url)\"\n    from: \"\(Release.version)\"",
            // Tuist
            ".local(path: \"__PACKAGE__\")":
                ".remote(\n        url: \"\(url)\", requirement: .upToNextMajor(from: \"\(Release.version)\"))",
        ]) { common, _ in common }
    }
}
