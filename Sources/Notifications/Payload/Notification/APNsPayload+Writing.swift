extension APNsPayload {
    /// Returns the payload with the changed fields of a notification.
    ///
    /// Only fields that differ from the result of ``content(identifier:style:)`` are written. All other
    /// bytes stay the same. The identifier and `hasAlert` have no key and are not written. Attachments
    /// keep their paths: only changed locations are written, and new attachments are not added.
    ///
    /// - Parameters:
    ///   - content: The notification.
    ///   - style: The keys that name attachments. The default is all styles.
    /// - Returns: The changed payload, of any size.
    /// - Throws: `PayloadError` if a value is too deep, or the payload would exceed its limits, and for
    ///   a provider's request, whose texts have no place of their own.
    public func writing(
        _ content: NotificationContent, style: PayloadStyle = .auto
    ) throws(PayloadError) -> APNsPayload {
        let old = self.content(identifier: content.identifier, style: style)
        guard content != old else { return self }
        guard envelope == nil else {
            throw PayloadError(
                .wrongShape, reason: "the document is a provider's request, not an APNs payload")
        }
        var writer = ContentWriter(document: document)
        try writer.writeUserInfo(old.userInfo, content.userInfo)
        for attachment in content.attachments {
            guard let path = attachment.path,
                old.attachments.contains(where: {
                    $0.path == path && $0.location != attachment.location
                })
            else { continue }
            writer.document = try writer.document.replacing(
                path, with: .string(attachment.location))
        }
        try writer.writeAlert(old, content)
        for (key, value) in ContentWriter.apsValues where value(old) != value(content) {
            try writer.set(key, of: Self.aps, to: value(content))
        }
        return try APNsPayload(writer.document)
    }
}

private struct ContentWriter {
    var document: JSONDocument

    private static let aps = APNsPayload.aps
    private static let alert = JSONPath(keys: "aps", "alert")

    /// The keys in `aps` beside the alert, in the order of writing, and their values.
    static let apsValues: [(key: String, value: @Sendable (NotificationContent) -> JSONValue?)] = [
        ("category", { $0.categoryIdentifier.map(JSONValue.string) }),
        ("thread-id", { $0.threadIdentifier.map(JSONValue.string) }),
        ("sound", { $0.sound.value }),
        ("badge", { $0.badge.map { .number(JSONNumber($0)) } }),
        ("mutable-content", { $0.isMutable ? .number(JSONNumber(1)) : nil }),
        ("interruption-level", { $0.interruptionLevel.map { .string($0.rawValue) } }),
        ("relevance-score", { $0.relevanceScore.flatMap(JSONNumber.init).map(JSONValue.number) }),
        ("target-content-id", { $0.targetContentIdentifier.map(JSONValue.string) }),
        ("filter-criteria", { $0.filterCriteria.map(JSONValue.string) }),
    ]

    mutating func writeUserInfo(_ old: [JSONMember], _ new: [JSONMember]) throws(PayloadError) {
        let (oldValues, newValues) = (Self.values(old), Self.values(new))
        var written: Set<[UInt8]> = [Array("aps".utf8)]
        for member in new {
            let key = Array(member.key.utf8)
            guard written.insert(key).inserted, let value = newValues[key], oldValues[key] != value
            else { continue }
            document = try document.setting(member.key, to: value)
        }
        for member in old where newValues[Array(member.key.utf8)] == nil {
            document = try document.removing(member.key)
        }
    }

    /// Values by the bytes of their keys; the last of duplicate keys counts.
    private static func values(_ members: [JSONMember]) -> [[UInt8]: JSONValue] {
        Dictionary(members.map { (Array($0.key.utf8), $0.value) }) { $1 }
    }

    mutating func writeAlert(
        _ old: NotificationContent, _ new: NotificationContent
    ) throws(PayloadError) {
        guard
            old.title != new.title || old.subtitle != new.subtitle || old.body != new.body
                || old.launchImageName != new.launchImageName
        else { return }
        // A plain-string alert cannot hold other fields.
        if document.value(at: Self.alert)?.members == nil {
            let body = document.value(at: Self.alert)?.string
            try set(
                "alert", of: Self.aps,
                to: .object(body.map { [JSONMember("body", .string($0))] } ?? []))
        }
        try writeText("title", "title-loc", old.title, new.title)
        try writeText("subtitle", "subtitle-loc", old.subtitle, new.subtitle)
        try writeText("body", "loc", old.body, new.body)
        if old.launchImageName != new.launchImageName {
            try set("launch-image", of: Self.alert, to: new.launchImageName.map(JSONValue.string))
        }
    }

    private mutating func writeText(
        _ name: String, _ localised: String, _ old: NotificationText?, _ new: NotificationText?
    ) throws(PayloadError) {
        if old?.text != new?.text {
            try set(name, of: Self.alert, to: new?.text.map(JSONValue.string))
        }
        if old?.localisationKey != new?.localisationKey {
            try set(
                "\(localised)-key", of: Self.alert, to: new?.localisationKey.map(JSONValue.string))
        }
        // Arguments belong to their key, so a new key replaces them too.
        let arguments = new?.localisationArguments ?? []
        if (old?.localisationArguments ?? []) != arguments
            || old?.localisationKey != new?.localisationKey
        {
            try set(
                "\(localised)-args", of: Self.alert,
                to: arguments.isEmpty ? nil : .array(arguments.map(JSONValue.string)))
        }
    }

    mutating func set(_ key: String, of path: JSONPath, to value: JSONValue?) throws(PayloadError) {
        if document.value(at: Self.aps) == nil {
            document = try document.setting("aps", to: .object([]))
        }
        document =
            if let value {
                try document.setting(key, of: path, to: value)
            } else {
                try document.removing(key, of: path)
            }
    }
}

extension NotificationSound {
    fileprivate var value: JSONValue? {
        switch self {
        case .none: nil
        case .default: .string("default")
        case .named(let name): .string(name)
        case .critical(let name, let volume):
            .object(
                [
                    JSONMember("critical", .number(JSONNumber(1))),
                    JSONMember("name", .string(name ?? "default")),
                ] + (JSONNumber(volume).map { [JSONMember("volume", .number($0))] } ?? []))
        }
    }
}
