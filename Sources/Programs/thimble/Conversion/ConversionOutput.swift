import AttachmentContainer
import AttachmentModel
import Foundation

/// The output that `thimble convert` was asked for: a file, a pattern of files, or standard output.
struct ConversionOutput: Sendable {
    /// Stands for the name of the picture without its suffix.
    private static let placeholder = "%s"
    static let standardStream = "-"

    private let pattern: String
    /// The type by the suffix; nil for standard output, where the type suits the picture.
    let type: RenditionType?

    /// An output of a type that is not made.
    struct UnknownType: Error, CustomStringConvertible {
        fileprivate let suffix: String

        var description: String {
            let kinds = RenditionType.allCases.map { ".\($0.fileExtension)" }.joined(
                separator: ", ")
            let found = suffix.isEmpty ? "has no suffix" : "ends in '.\(suffix)'"
            return "The output \(found), but renditions are of these types: \(kinds)."
        }
    }

    init(_ pattern: String) throws(UnknownType) {
        self.pattern = pattern
        guard pattern != Self.standardStream else {
            type = nil
            return
        }
        let suffix = URL(fileURLWithPath: pattern).pathExtension.lowercased()
        guard let type = RenditionType(fileExtension: suffix == "jpeg" ? "jpg" : suffix) else {
            throw UnknownType(suffix: suffix)
        }
        self.type = type
    }

    var isStandardStream: Bool { type == nil }

    /// True if several pictures have different outputs.
    var isPattern: Bool { pattern.firstRange(of: Self.placeholder) != nil }

    /// The path for a picture's path or URL; relative ones are in the working folder.
    func path(for picture: String) -> String {
        guard isPattern else { return pattern }
        let visible = picture.prefix { $0 != "?" && $0 != "#" || !AttachmentSource.isURL(picture) }
        let name = URL(fileURLWithPath: String(visible)).deletingPathExtension().lastPathComponent
        // These would name folders.
        let isFolder = ["", "/", ".", ".."].contains(name)
        let stem = picture == Self.standardStream || isFolder ? "picture" : name
        return pattern.replacing(Self.placeholder, with: stem)
    }
}

extension Manifest {
    /// The rendition of a type that shows the whole attachment; of any type without one.
    func conversion(to type: RenditionType?, for preset: Preset) -> Rendition? {
        let candidates = [rendition(preset.role), rendition(.attachment)].compactMap(\.self)
        guard let type else { return candidates.first }
        return candidates.first { $0.type == type.rawValue }
    }
}
