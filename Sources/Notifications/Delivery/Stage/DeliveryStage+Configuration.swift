public import AttachmentContainer
internal import AttachmentModel
public import Foundation

extension DeliveryStage {
    /// Deadlines, limits and file handover of a stage.
    public struct Configuration: Sendable {
        /// Time from the call to the answer, for requests without a deadline.
        ///
        /// The default is 25 seconds, of the 30 that a service extension has.
        public var deadline: Duration = .seconds(25)
        /// Time reserved for a lower rung after a slow first attempt; at most a quarter of the total.
        ///
        /// The default is 5 seconds.
        public var timeForLowerRung: Duration = .seconds(5)
        /// Maximum sizes of attached files.
        public var attachmentLimits = AttachmentLimits()
        /// Render budget of the content extension for a still original, in decoded bytes.
        ///
        /// The default is 8 MiB, as in `ProcessingSettings`.
        public var renderBudget: ByteCount = .mebibytes(8)
        /// Render budget for an animated original, for all frames together.
        ///
        /// The default is 48 MiB, as in `ProcessingSettings`.
        public var animationRenderBudget: ByteCount = .mebibytes(48)
        /// The folders that attachments may come from.
        ///
        /// The default is anywhere. That suits paths that the caller chose, such as a service extension's
        /// download. It is unsafe for paths from a notification.
        public var allowedRoots: AllowedRoots = .anywhere
        /// The form in which files are handed to the receiver.
        ///
        /// The default is a clone in the container's `incoming` folder.
        public var handover: Handover = .clone(in: nil)

        /// Number of pictures whose answers are remembered; up to twice as many may be.
        ///
        /// It applies to requests with the naming of pictures and to the handover
        /// ``Handover/inPlace``. An answer takes about 3 kB. The default is 2,048.
        public var rememberedPictures = 2_048

        /// Creates a configuration with default values.
        public init() {}

        /// Checks every field against its range.
        ///
        /// - Throws: `SettingsError` naming the first field at fault and its range.
        public func validate() throws(SettingsError) {
            try check(deadline > .zero, "deadline", "above zero")
            try check(timeForLowerRung >= .zero, "timeForLowerRung", "at least zero")
            try check(renderBudget.bytes >= 0, "renderBudget", "at least 0 bytes")
            try check(animationRenderBudget.bytes >= 0, "animationRenderBudget", "at least 0 bytes")
            try check(rememberedPictures >= 0, "rememberedPictures", "at least 0")
            let limits = attachmentLimits
            try check(limits.picture.bytes >= 0, "attachmentLimits.picture", "at least 0 bytes")
            try check(limits.sound.bytes >= 0, "attachmentLimits.sound", "at least 0 bytes")
            try check(limits.movie.bytes >= 0, "attachmentLimits.movie", "at least 0 bytes")
        }

        private func check(_ holds: Bool, _ field: String, _ range: String) throws(SettingsError) {
            guard holds else { throw SettingsError(field: field, range: range) }
        }
    }

    /// The form in which files are handed to the receiver.
    public enum Handover: Sendable, Hashable {
        /// A file owned by the receiver, in a folder; nil for the container's `incoming`, which is swept
        /// after an hour.
        ///
        /// It shares blocks with its source if the volume can (APFS, Btrfs, XFS), and is a copy elsewhere.
        /// It is not a hard link: the system moves the file and changes its owner and protection, which
        /// would affect the rendition.
        case clone(in: URL?)
        /// The existing file, which the receiver must only read.
        ///
        /// This suits a server that passes the path on, and never an attachment. The extension of an
        /// original may be wrong; the type identifier is correct.
        case inPlace
    }
}

/// Maximum sizes of attached files (Apple, `UNNotificationAttachment`).
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

    /// Creates limits with default values.
    public init() {}
}
