extension APNsPayload {
    /// Returns the notification that the payload describes.
    ///
    /// - Parameters:
    ///   - identifier: The notification's identifier, for example ``identifier(at:)``, or else a
    ///     digest of the payload's bytes.
    ///   - style: The keys that name attachments. The default is all styles.
    /// - Returns: The notification.
    public func content(identifier: String, style: PayloadStyle = .auto) -> NotificationContent {
        if let envelope {
            return envelope.content(of: document, identifier: identifier, style: style)
        }
        let aps = document.value(at: Self.aps) ?? .object([])
        let alert = aps["alert"] ?? .null
        let body = alert.string.map { NotificationText($0) } ?? Self.text("body", "loc", of: alert)
        return NotificationContent(
            identifier: identifier,
            categoryIdentifier: aps["category"]?.string,
            threadIdentifier: aps["thread-id"]?.string,
            title: Self.text("title", "title-loc", of: alert),
            subtitle: Self.text("subtitle", "subtitle-loc", of: alert),
            body: body,
            sound: Self.sound(aps["sound"]),
            badge: aps["badge"]?.number?.integer,
            launchImageName: alert["launch-image"]?.string,
            userInfo: document.root.members?.filter { $0.key != "aps" } ?? [],
            attachments: attachments(style),
            isMutable: aps["mutable-content"]?.flag ?? false,
            interruptionLevel: aps["interruption-level"]?.string
                .map(InterruptionLevel.init(rawValue:)),
            relevanceScore: aps["relevance-score"]?.number?.double,
            targetContentIdentifier: aps["target-content-id"]?.string,
            filterCriteria: aps["filter-criteria"]?.string)
    }

    /// A title, subtitle or body of an alert, by its key and the prefix of its localisation keys.
    private static func text(
        _ name: String, _ localised: String, of alert: JSONValue
    ) -> NotificationText? {
        let text = alert[name]?.string
        let key = alert["\(localised)-key"]?.string
        guard text != nil || key != nil else { return nil }
        let arguments = key == nil ? nil : alert["\(localised)-args"]?.elements
        return NotificationText(
            text, localisationKey: key,
            localisationArguments: arguments?.compactMap(\.string) ?? [])
    }

    private static func sound(_ value: JSONValue?) -> NotificationSound {
        switch value {
        case .string(let name): sound(named: name)
        case .object where value?["critical"]?.flag == true:
            .critical(
                name: value?["name"]?.string.flatMap { $0 == "default" ? nil : $0 },
                volume: min(max(value?["volume"]?.number?.double ?? 1, 0), 1))
        case .object: value?["name"]?.string.map(sound(named:)) ?? .none
        default: .none
        }
    }

    private static func sound(named name: String) -> NotificationSound {
        switch name {
        case "": .none
        case "default": .default
        default: .named(name)
        }
    }
}
