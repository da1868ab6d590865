public import AttachmentContainer

extension PreviewPage {
    /// Adds the pictures, ratio and figures of a manifest.
    ///
    /// A file that is missing from the container leaves the placeholder.
    ///
    /// - Parameters:
    ///   - manifest: The manifest.
    ///   - container: The container that has its renditions.
    public mutating func add(_ manifest: Manifest, in container: SharedContainer) {
        let picture = { (role: RenditionRole) in
            manifest.rendition(role).flatMap { EmbeddedImage($0, in: container) }
        }
        let placeholder = EmbeddedImage(manifest.placeholder)
        drawing.banner = picture(.banner) ?? picture(.expanded) ?? placeholder
        drawing.expanded = picture(.attachment) ?? picture(.expanded) ?? placeholder
        drawing.ratio = manifest.contentSizeRatio
        renditions = manifest.renditions.filter { !Self.drawn.contains($0.role) }
            .map { PreviewRendition($0, in: container) }
        facts = Self.facts(of: manifest)
    }

    /// Roles that the drawings show.
    private static let drawn: Set<RenditionRole> = [.attachment, .banner, .expanded, .media]

    private static func facts(of manifest: Manifest) -> [(name: String, value: String)] {
        let source = manifest.source
        let size = source.size == .zero ? "" : text(source.size)
        let format = [source.format, source.coding, size, "\(source.bytes)"]
        var facts = [
            (name: "Attachment", value: format.filter { !$0.isEmpty }.joined(separator: ", "))
        ]
        // The others have their figures below their pictures.
        facts += manifest.renditions.filter { drawn.contains($0.role) }.map { rendition in
            let size = rendition.size == .zero ? "" : "\(text(rendition.size)), "
            return (rendition.role.title, size + "\(rendition.bytes)")
        }
        if !manifest.renditions.contains(where: { [.expanded, .media].contains($0.role) }) {
            facts.append(
                ("Content extension", "shows the placeholder; the preset content is missing"))
        }
        facts.append(("Rung", manifest.rung + (manifest.engine.map { ", engine \($0)" } ?? "")))
        if let measured = manifest.measuredPeak, let predicted = manifest.predictedPeak {
            facts.append(("Peak", "\(measured.memory) measured, \(predicted.memory) predicted"))
        }
        return facts + manifest.notes.map { ("Note", $0) }
    }

    private static func text(_ size: PixelSize) -> String { "\(size.width) × \(size.height)" }
}
