import NotificationPayload

extension Project {
    func checkDelivery() -> [Finding] {
        notifications.flatMap { notification in
            [mutability(of: notification), alert(of: notification), size(of: notification)]
                .compactMap(\.self)
        } + pushEntitlement()
    }

    private func mutability(of notification: Notification) -> Finding? {
        guard !notification.content.isMutable else { return nil }
        let payload = notification.payload
        let path = payload.path(of: .mutableContent) ?? JSONPath(keys: "aps", "mutable-content")
        // A flag of a provider's request, from which the provider makes the payload's.
        if payload.envelope != nil, case .key(let key)? = path.steps.last, key != "mutable-content"
        {
            return Finding(
                .notMutable, "the request does not set \(key) to true",
                at: notification.place(path.description), remedy: "set \(path) to true")
        }
        let what =
            switch payload.document.value(at: path) {
            case nil: "the payload has no mutable-content"
            case .number: "the payload's mutable-content is not 1"
            case .string: "the payload's mutable-content is a string, and must be the number 1"
            case .some: "the payload's mutable-content is not the number 1"
            }
        return Finding(
            .notMutable, what, at: notification.place(path.description),
            remedy: payload.envelope.map { _ in "set \(path) to the number 1" })
    }

    private func alert(of notification: Notification) -> Finding? {
        guard !notification.content.hasAlert else { return nil }
        let path = notification.payload.path(of: .alert)
        return Finding(
            .missingAlert, "the payload has neither title nor body",
            at: notification.place(.alert),
            remedy: notification.payload.envelope.flatMap { _ in path }.map {
                "give \($0) a title or a body"
            })
    }

    private func size(of notification: Notification) -> Finding? {
        let limit = APNsPayload.maximumSize
        guard notification.payload.size > limit else { return nil }
        return Finding(
            .payloadTooLarge,
            "the payload has \(notification.payload.size) bytes; APNs accepts at most \(limit)",
            at: notification.place())
    }

    /// The keys on iOS and macOS.
    private static let pushKeys = ["aps-environment", "com.apple.developer.aps-environment"]

    private func pushEntitlement() -> [Finding] {
        entitlements.filter { $0.role == .app }.compactMap { target in
            let value = Self.pushKeys.compactMap { target.file.value(at: [$0]) }.first
            if case .string(let name) = value,
                ["development", "production"].contains(name) || name.isUnresolvedSetting
            {
                return nil
            }
            return Finding(
                .missingPushEntitlement,
                value == nil
                    ? "the app's entitlements have no aps-environment"
                    : "the app's aps-environment is neither development nor production",
                at: Place(target.file.path, key: Self.pushKeys.first))
        }
    }
}
