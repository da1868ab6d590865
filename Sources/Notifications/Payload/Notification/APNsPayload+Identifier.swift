extension APNsPayload {
    /// The path of Thimble's own notification identifier: `thimble.id`.
    public static let ownIdentifierPath = JSONPath(keys: "thimble", "id")

    /// The default search paths of the identifier, in order.
    ///
    /// APNs carries the identifier in a header (`apns-id`), not in the payload. These paths are
    /// ``ownIdentifierPath`` and keys of SDKs: `gcm\.message_id` (Firebase), `os_data.i` and `custom.i`
    /// (OneSignal), `itbl.messageId` (Iterable), `_` (Airship's send identifier). OneSignal and Airship
    /// identify a message that all recipients share, even when its pictures are personalised. An
    /// identifier from any path but ``ownIdentifierPath`` is therefore unique only with the attachment's
    /// location. Identifiers of an installation or a campaign, such as `google.c.fid` or CleverTap's
    /// `wzrk_id`, are not used.
    public static let identifierPaths = [
        ownIdentifierPath, JSONPath(keys: "gcm.message_id"),
        JSONPath(keys: "os_data", "i"), JSONPath(keys: "custom", "i"),
        JSONPath(keys: "itbl", "messageId"), JSONPath(keys: "_"),
    ]

    /// Returns the notification's identifier, from the APNs payload of a provider's request too.
    ///
    /// - Parameter paths: The paths to search, in order. A non-empty string or a number counts. The
    ///   default is ``identifierPaths``.
    /// - Returns: The identifier; nil if the payload has none. The caller must then provide one, for
    ///   example a digest of the payload's bytes.
    public func identifier(at paths: [JSONPath] = APNsPayload.identifierPaths) -> String? {
        for document in [document] + (envelope?.bodies(in: document).map(\.document) ?? []) {
            for path in paths {
                switch document.value(at: path) {
                case .string(let text) where !text.isEmpty: return text
                case .number(let number): return number.spelling
                default: break
                }
            }
        }
        return nil
    }
}
