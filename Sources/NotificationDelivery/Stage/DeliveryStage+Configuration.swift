public import AttachmentContainer
public import AttachmentPlanning
public import Foundation

extension DeliveryStage {
    /// What the stage may spend and hand out.
    public struct Configuration: Sendable {
        /// How long after the call the answer is due, where the request does not say.
        ///
        /// The default is 25 seconds, of the 30 that the system grants a service extension.
        public var deadline: Duration = .seconds(25)
        /// What is kept back of the time for a lower rung, once the first attempt has taken too long;
        /// never more than a quarter of the time there is.
        ///
        /// The default is 5 seconds.
        public var timeForLowerRung: Duration = .seconds(5)
        /// How long the files may be that the system takes as attachments.
        public var attachmentLimits = AttachmentLimits()
        /// The decoded bytes that the content extension may spend on an original that is a still.
        ///
        /// The default is 8 MiB, that of `ProcessingSettings`.
        public var renderBudget: ByteCount = .mebibytes(8)
        /// The decoded bytes that it may spend on one that moves, all its frames together.
        ///
        /// The default is 48 MiB, that of `ProcessingSettings`.
        public var animationRenderBudget: ByteCount = .mebibytes(48)
        /// Where attachments may come from.
        ///
        /// The default is anywhere: right where the caller chose the path, as a service extension
        /// does that downloaded the file; wrong where the path came with the notification.
        public var allowedRoots: AllowedRoots = .anywhere
        /// How files are handed to the receiver.
        ///
        /// The default is as a clone in the container's folder for what is being made.
        public var handover: Handover = .clone(in: nil)

        /// Makes a configuration with every default.
        public init() {}

        /// Checks every field against its range.
        ///
        /// - Throws: `SettingsError` naming the first field at fault and its range.
        public func validate() throws(SettingsError) {
            try check(deadline > .zero, "deadline", "longer than no time")
            try check(timeForLowerRung >= .zero, "timeForLowerRung", "no time or longer")
            try check(renderBudget.bytes >= 0, "renderBudget", "at least 0 bytes")
            try check(
                animationRenderBudget.bytes >= 0, "animationRenderBudget", "at least 0 bytes")
            let limits = attachmentLimits
            try check(limits.picture.bytes >= 0, "attachmentLimits.picture", "at least 0 bytes")
            try check(limits.sound.bytes >= 0, "attachmentLimits.sound", "at least 0 bytes")
            try check(limits.movie.bytes >= 0, "attachmentLimits.movie", "at least 0 bytes")
        }

        private func check(
            _ holds: Bool, _ field: String, _ range: String
        ) throws(SettingsError) {
            guard holds else { throw SettingsError(field: field, range: range) }
        }
    }

    /// How files are handed to the receiver.
    public enum Handover: Sendable, Hashable {
        /// As a file of the receiver's own, in a folder; nil for the container's `incoming`, where
        /// what nobody takes is swept after an hour.
        ///
        /// It shares its blocks with what it was made from where the volume can (APFS, Btrfs, XFS),
        /// and is a copy elsewhere. It is no hard link: the system moves the file away, and changes
        /// its owner and protection, which a hard link would change of the rendition too.
        case clone(in: URL?)
        /// As the file where it stands, which the receiver must only read: right for a server that
        /// passes its path on, and wrong for everything that attaches.
        ///
        /// The extension of an original may be wrong then; the type identifier is right.
        case inPlace
    }
}

/// How long the files may be that the system takes as attachments (Apple, `UNNotificationAttachment`).
public struct AttachmentLimits: Sendable, Hashable {
    /// For JPEG, PNG and GIF.
    ///
    /// The default is 10 MB.
    public var picture: ByteCount = .megabytes(10)
    /// For AIFF, WAV, MP3 and M4A.
    ///
    /// The default is 5 MB.
    public var sound: ByteCount = MediaLimits().sound
    /// For MPEG, MPEG-2, MPEG-4 and AVI.
    ///
    /// The default is 50 MB.
    public var movie: ByteCount = MediaLimits().movie

    /// Makes limits with every default.
    public init() {}
}
