extension Project {
    var unchecked: [CheckReport.Unchecked] {
        let gaps: [(isMissing: Bool, part: CheckInput.Part, what: String)] = [
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
                "registration of the categories by the app"
            ),
            (
                input.appEntitlements == nil, .appEntitlements,
                "the app's push entitlement and App Group"
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
            (input.serviceInfoPlist == nil, .serviceInfo, "loading of the service extension"),
            (
                input.appInfoPlist == nil, .appInfo,
                "minimum system versions of the extensions and the app"
            ),
            (!input.hasControls, .controls, "touches on controls in the view"),
            (input.container == nil, .container, "the pictures in the shared container"),
            (
                container != nil && notifications.contains { $0.identifier == nil }, .identifier,
                "the notification's entry in the container: the payload has no identifier"
            ),
        ]
        return gaps.filter(\.isMissing).map { .init(what: $0.what, part: $0.part) }
    }
}
