public import AttachmentContainer
public import NotificationPayload

/// Keys, limits and time of a stage for payloads.
public struct StagingSettings: Sendable {
    /// The keys that name the pictures.
    ///
    /// The default is `auto`: the keys of all known SDKs.
    public var payloadStyle = PayloadStyle.auto
    /// True to add the note on the pictures to the payload.
    ///
    /// The default is true.
    public var addsNote = true
    /// The place of the note.
    ///
    /// The default is `thimble`.
    public var notePath = APNsPayload.notePath
    /// Maximum size of a payload with the note, in bytes; one without room keeps less of it.
    ///
    /// The default is 4,096, the limit of APNs.
    public var payloadLimit = APNsPayload.maximumSize
    /// True to publish a manifest for every notification, under its identifier.
    ///
    /// The default is false: notifications with the same picture share one, and only the first of
    /// them takes time.
    public var manifestPerNotification = false
    /// The rule for pictures inside payloads, which are in the note.
    ///
    /// The default is ``InlineRule/never``.
    public var inline = InlineRule.never
    /// The chroma of pictures inside payloads.
    ///
    /// The default is ``InlineChroma/halved``.
    public var inlineChroma = InlineChroma.halved
    /// Time for one payload without a deadline of its own.
    ///
    /// The default is 25 seconds.
    public var deadline = Duration.seconds(25)

    /// Creates settings with every default.
    public init() {}

    /// Checks every field against its range.
    ///
    /// - Throws: `SettingsError` naming the first field at fault and its range.
    public func validate() throws(SettingsError) {
        guard notePath.isNotePath else {
            throw SettingsError(field: "notePath", range: "a path of keys outside aps")
        }
        guard payloadLimit >= 0 else {
            throw SettingsError(field: "payloadLimit", range: "at least 0 bytes")
        }
        guard addsNote || inline == .never else {
            throw SettingsError(
                field: "inline", range: "never without a note, which has the picture")
        }
        guard deadline > .zero else {
            throw SettingsError(field: "deadline", range: "above zero")
        }
    }
}
