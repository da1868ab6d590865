public import AttachmentContainer

extension DeliveryAnswer {
    /// The moment of `picture` for the small thumbnail: seconds of a movie, or the number of a GIF's
    /// frame from 0; nil for the system's default.
    public var thumbnailTime: Double? {
        guard let manifest = outcome.manifest, let attachment = manifest.attachment,
            attachment.type == typeIdentifier
        else { return nil }
        return manifest.thumbnailTime
    }

    /// The square rendition around the centre of attention, for a sender's avatar; nil without
    /// renditions.
    ///
    /// The whole picture takes its place if there is no square. Sealed renditions are none, because the
    /// system would store it in the clear.
    public var avatar: Manifest.Rendition? {
        guard let manifest = outcome.manifest, !manifest.isSealed else { return nil }
        return [.avatar, .banner, .expanded].lazy.compactMap(manifest.rendition).first
    }
}

extension RenditionRole {
    /// The square of the preset for avatars.
    fileprivate static let avatar = RenditionRole(rawValue: "avatar")
}
