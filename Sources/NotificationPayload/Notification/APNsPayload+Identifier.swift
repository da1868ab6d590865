extension APNsPayload {
    /// Where an identifier is looked for when nothing else is asked for, in this order.
    ///
    /// APNs has the identifier in a header (`apns-id`), not in the payload, so these are keys of
    /// SDKs that are another one for every message: `thimble.id`, `gcm\.message_id` (Firebase),
    /// `os_data.i` and `custom.i` (OneSignal), `itbl.messageId` (Iterable), `_` (Airship's send
    /// identifier). What names an installation or a campaign is not among them, such as
    /// `google.c.fid` or CleverTap's `wzrk_id`: many notifications have it in common.
    public static let identifierPaths = [
        JSONPath(keys: "thimble", "id"), JSONPath(keys: "gcm.message_id"),
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
