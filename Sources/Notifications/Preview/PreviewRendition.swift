public import AttachmentContainer

/// A rendition for a surface of its own, with its size and bytes.
public struct PreviewRendition: Sendable {
    /// The name of the rendition in the manifest.
    public let role: RenditionRole
    /// The size, in pixels.
    public let size: PixelSize
    /// The length of the file.
    public let bytes: ByteCount
    /// The picture; nil if its file is missing.
    public let image: EmbeddedImage?

    /// Reads a rendition from a container.
    ///
    /// - Parameters:
    ///   - rendition: The rendition.
    ///   - container: The container that has its file.
    public init(_ rendition: Manifest.Rendition, in container: SharedContainer) {
        role = rendition.role
        size = rendition.size
        bytes = rendition.bytes
        image = EmbeddedImage(rendition, in: container)
    }

    var markup: Markup {
        .element(
            "li", [:],
            .element(
                "figure", [:],
                .element("div", ["class": "preview-surface"], picture),
                .element(
                    "figcaption", [:], .element("strong", [:], .text(role.title)),
                    .text("\(size.width) × \(size.height), \(bytes)"))))
    }

    private var picture: Markup {
        guard let image else { return .element("p", [:], .text("The file is missing.")) }
        return .element(
            "img",
            [
                "src": image.url, "alt": "Rendition: \(role.title)",
                "width": "\(size.width)", "height": "\(size.height)",
            ])
    }
}
