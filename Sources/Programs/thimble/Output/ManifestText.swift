import AttachmentContainer
import Foundation

enum ManifestText {
    static func print(_ manifest: Manifest) {
        let source = manifest.source
        var lines = [
            manifest.identifier,
            "  source       \(source.format), \(source.coding), "
                + (source.size == .zero ? "" : "\(source.size), ") + "\(source.bytes)",
        ]
        lines += manifest.renditions.map { rendition in
            let role = rendition.role.rawValue
            let facts = rendition.facts.joined(separator: ", ")
            return "  \(role.padded(to: 12)) \(facts), \(rendition.type), \(rendition.file)"
        }
        lines += [
            "  size ratio   \(manifest.contentSizeRatio.fixed(3))",
            "  placeholder  \(manifest.placeholder.rawValue)",
            "  colour       \(manifest.averageColour)",
            "  rung         \(manifest.rung)",
        ]
        if let engine = manifest.engine { lines.append("  engine       \(engine)") }
        if let measured = manifest.measuredPeak, let predicted = manifest.predictedPeak {
            lines.append("  peak         \(measured) measured, \(predicted) predicted")
        }
        lines += manifest.notes.map { "  note         \($0)" }
        lines.forEach { TextOutput.print($0) }
    }

    /// Prints the time at which the URL of each rendition was last published.
    static func printPublished(_ manifest: Manifest, in container: SharedContainer) {
        for rendition in manifest.renditions {
            guard let date = try? container.lastPublished(rendition) else { continue }
            TextOutput.print(
                "  published    \(rendition.role.rawValue), \(date.formatted(.iso8601))")
        }
    }

    static func print(_ content: DisplayContent) {
        let file = content.picture.map { "\($0.size), \($0.url.path)" } ?? "only the placeholder"
        TextOutput.print("  shown        \(file)")
        if let media = content.media { TextOutput.print("  played       \(media.url.path)") }
    }

    static func printTable(_ manifests: [Manifest], in container: SharedContainer) {
        let identifiers = manifests.map { $0.identifier.escaped() }
        let width = max(10, identifiers.map(\.count).max() ?? 0)
        printRow("IDENTIFIER".padded(to: width), "SOURCE", "EXPANDED", "BANNER", "NOTES")
        for (manifest, identifier) in zip(manifests, identifiers) {
            let size = manifest.source.size == .zero ? "" : " \(manifest.source.size)"
            let source = "\(manifest.source.format)\(size) \(manifest.source.bytes)"
            let cell = { (role: RenditionRole) in
                manifest.rendition(role).map { "\($0.size) \($0.bytes)" } ?? "-"
            }
            printRow(
                identifier.padded(to: width), source, cell(.expanded), cell(.banner),
                (manifest.surfaces + manifest.notes + published(manifest, in: container))
                    .joined(separator: "; "))
        }
        TextOutput.print("\(manifests.count) notifications")
    }

    /// A note for a notification whose URL was published.
    private static func published(_ manifest: Manifest, in container: SharedContainer) -> [String] {
        let isPublished = manifest.renditions.contains {
            (try? container.lastPublished($0)).flatMap(\.self) != nil
        }
        return isPublished ? ["its URL was published"] : []
    }

    private static func printRow(
        _ identifier: String, _ source: String, _ expanded: String, _ banner: String,
        _ notes: String
    ) {
        TextOutput.print(
            [
                identifier, source.padded(to: 22), expanded.padded(to: 20), banner.padded(to: 16),
                notes,
            ]
            .joined(separator: " "))
    }
}

extension Manifest {
    /// Renditions without a column of their own.
    fileprivate var surfaces: [String] {
        let columns: Set<RenditionRole> = [.attachment, .banner, .expanded, .media]
        return renditions.filter { !columns.contains($0.role) }
            .map { "\($0.role.rawValue) \($0.size) \($0.bytes)" }
    }
}

extension Manifest.Rendition {
    /// Pixel size, duration and file size, if known.
    var facts: [String] {
        let time = duration.map { "\($0.fixed(1)) s" }
        return [size == .zero ? nil : size.description, time, bytes.description].compactMap { $0 }
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
