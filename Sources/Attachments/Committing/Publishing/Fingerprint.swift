internal import AttachmentContainer
internal import AttachmentModel

extension ProcessingSettings {
    /// Digest of all settings that affect a rendition, as 64 lowercase hexadecimal digits.
    var fingerprint: String {
        var decisive: [any CustomStringConvertible] = [
            Self.pipelineRevision, widthInPixels, bannerSideInPixels, renderBudget.bytes, quality,
            maximumBytes.bytes, animationRenderBudget.bytes, colourSpace.rawValue,
            toleratesTruncation, engine.rawValue,
        ]
        if let cropRatio { decisive.append(cropRatio) }
        if let targetScore { decisive.append("targetScore=\(targetScore)") }
        if let stillType { decisive.append("stillType=\(stillType.fileExtension)") }
        if effort != .standard { decisive.append("effort=\(effort.rawValue)") }
        if isLinear { decisive.append("linear") }
        if presets != .content { decisive.append("presets=\(presets)") }
        let text = decisive.map(\.description).joined(separator: "/")
        return ContentDigest(of: text).rawValue
    }

    /// Incremented when the same settings produce different pixels, or presets have other surfaces, so
    /// that attachments of earlier releases are processed again.
    private static let pipelineRevision = 8
}
