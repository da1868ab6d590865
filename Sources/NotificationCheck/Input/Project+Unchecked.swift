extension Project {
    /// What could not be looked at, and what would have to be given.
    var unchecked: [CheckReport.Unchecked] {
        let lacks: [(isMissing: Bool, flag: CheckFlag, what: String)] = [
            (
                input.payloads.isEmpty, .payload,
                "category, mutable-content, alert, size and attachments of the payload"
            ),
            (
                input.contentInfoPlists.isEmpty, .profile,
                "the content extension: its categories, keys, ratio and render budget"
            ),
            (
                input.registeredCategories == nil, .registeredCategory,
                "whether the app registers the categories"
            ),
            (
                input.appEntitlements == nil, .appEntitlements,
                "whether the app may receive notifications, and its App Group"
            ),
            (
                input.serviceEntitlements == nil, .serviceEntitlements,
                "the service extension's App Group"
            ),
            (
                input.contentEntitlements.count < max(1, input.contentInfoPlists.count),
                .contentEntitlements,
                input.contentEntitlements.isEmpty
                    ? "the content extension's App Group"
                    : "the App Groups of all content extensions"
            ),
            (
                input.serviceInfoPlist == nil, .serviceInfo,
                "whether the system loads the service extension"
            ),
            (
                input.appInfoPlist == nil, .appInfo,
                "whether the extensions run on every system that the app runs on"
            ),
            (!input.hasControls, .controls, "whether controls in the view can be touched"),
            (input.container == nil, .container, "the pictures in the shared container"),
            (
                container != nil && notifications.contains { $0.identifier == nil }, .identifier,
                "whether the container has the notification, which the payload does not name"
            ),
        ]
        return lacks.filter(\.isMissing).map { .init(what: $0.what, flag: $0.flag) }
    }
}
