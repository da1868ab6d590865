internal import AttachmentContainer
internal import AttachmentPlanning

extension ProcessingSettings {
    /// A digest of everything besides the attachment's bytes that decides how a rendition looks:
    /// two manifests with the same source digest and the same fingerprint have the same renditions.
    ///
    /// - Returns: 64 lowercase hexadecimal digits.
    var fingerprint: String {
        var decisive: [any CustomStringConvertible] = [
            Self.pipelineRevision, widthInPixels, bannerSideInPixels, renderBudget.bytes, quality,
            maximumBytes.bytes, animationRenderBudget.bytes, colourSpace.rawValue,
            toleratesTruncation,
        ]
        if let cropRatio { decisive.append(cropRatio) }
        let text = decisive.map(\.description).joined(separator: "/")
        return ContentDigest(of: text).rawValue
    }

    /// Counts up whenever the same settings begin to give other pixels, so that attachments
    /// processed by an earlier release are processed again.
    private static let pipelineRevision = 4
}
