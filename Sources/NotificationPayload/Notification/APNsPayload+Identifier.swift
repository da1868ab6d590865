extension APNsPayload {
    /// Where a sender gives the notification an identifier for Thimble: `thimble.id`.
    public static let ownIdentifierPath = JSONPath(keys: "thimble", "id")

    /// Where an identifier is looked for when nothing else is asked for, in this order.
    ///
    /// APNs has the identifier in a header (`apns-id`), not in the payload, so these are
    /// ``ownIdentifierPath`` and keys of SDKs: `gcm\.message_id` (Firebase), `os_data.i` and `custom.i`
    /// (OneSignal), `itbl.messageId` (Iterable), `_` (Airship's send identifier). Those of OneSignal and
    /// Airship name a message, which all of its recipients share, personalised or not: an identifier
    /// from any but ``ownIdentifierPath`` names one picture only together with its location. What names
    /// an installation or a campaign is not among them, such as `google.c.fid` or CleverTap's `wzrk_id`.
    public static let identifierPaths = [
        ownIdentifierPath, JSONPath(keys: "gcm.message_id"),
        JSONPath(keys: "os_data", "i"), JSONPath(keys: "custom", "i"),
        JSONPath(keys: "itbl", "messageId"), JSONPath(keys: "_"),
    ]

    /// The notification's identifier, where the payload has one.
    ///
    /// - Parameter paths: Where to look, in this order; a text that is not empty, or a number, is
    ///   taken. The default is ``identifierPaths``.
    /// - Returns: The identifier; nil when there is none, so that the caller must give one, for
    ///   example a digest of the payload's bytes.
    public func identifier(at paths: [JSONPath] = APNsPayload.identifierPaths) -> String? {
        for path in paths {
            switch document.value(at: path) {
            case .string(let text) where !text.isEmpty: return text
            case .number(let number): return number.spelling
            default: break
            }
        }
        return nil
    }
}
