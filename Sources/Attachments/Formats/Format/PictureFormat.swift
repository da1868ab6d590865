package import AttachmentModel

/// Recognition of a picture format by its first bytes, and its probe.
package struct PictureFormat: Sendable {
    /// First bytes, as in ``BytePattern``; the first match decides.
    package let signatures: [BytePattern]
    /// Further conditions on a file with a matching signature.
    package let recognizes: @Sendable (BoundedReader) throws(HeaderFault) -> Bool
    package let probe: @Sendable (BoundedReader) throws(HeaderFault) -> AttachmentHeader

    package init(
        _ signatures: BytePattern...,
        recognizes: @escaping @Sendable (BoundedReader) throws(HeaderFault) -> Bool = { _ in true },
        probe: @escaping @Sendable (BoundedReader) throws(HeaderFault) -> AttachmentHeader
    ) {
        self.signatures = signatures
        self.recognizes = recognizes
        self.probe = probe
    }
}

extension [PictureFormat] {
    /// All formats; a new one is a line here and a folder beside the others.
    package static let standard: [PictureFormat] = [
        .jpeg, .png, .webp, .gif, .heif, .tiff, .bmp, .jpegXL,
    ]
}
