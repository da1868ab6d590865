extension Project {
    var unchecked: [CheckReport.Unchecked] {
        let gaps: [(isMissing: Bool, part: CheckInput.Part, what: String)] = [
            (
                input.payloads.isEmpty, .payload,
                "category, mutable-content, alert, size and attachments of the payload"
            ),
            (
                input.contentInfoPlists.isEmpty && bundle == nil, .profile,
                "the content extension: its categories, keys, ratio and render budget"
            ),
            registrationGap,
            (
                input.appEntitlements == nil && isUnknown(.app), .appEntitlements,
                "the app's push entitlement and App Group"
            ),
            (
                input.serviceEntitlements == nil && isUnknown(.service), .serviceEntitlements,
                "the service extension's App Group"
            ),
            contentEntitlementsGap,
            (
                input.serviceInfoPlist == nil && bundle == nil, .serviceInfo,
                "loading of the service extension"
            ),
            (
                input.appInfoPlist == nil && bundle == nil, .appInfo,
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

    private typealias Gap = (isMissing: Bool, part: CheckInput.Part, what: String)

    /// True if the built app, if any, does not tell the entitlements of a role.
    private func isUnknown(_ role: Role) -> Bool {
        guard let bundle else { return true }
        guard role != .app else { return bundle.app?.entitlements?.file == nil }
        let targets = bundle.targets(role)
        return targets.isEmpty
            ? !bundle.isComplete : targets.contains { $0.entitlements?.file == nil }
    }

    private var contentEntitlementsGap: Gap {
        let built = bundle?.targets(.content) ?? []
        let known = input.contentEntitlements.count + built.count { $0.entitlements?.file != nil }
        let expected = max(bundle == nil ? 1 : 0, input.contentInfoPlists.count + built.count)
        return (
            known < expected, .contentEntitlements,
            known == 0
                ? "the content extension's App Group"
                : "the App Groups of all content extensions"
        )
    }

    private var registrationGap: Gap {
        let categories = "registration of the categories by the app"
        switch registration {
        case .complete: return (false, .registeredCategory, categories)
        case .unknown:
            // A finding tells why the sources are unreadable.
            return (input.sources.isEmpty, .registeredCategory, categories)
        case .partial(_, let computed):
            let place = computed.first.map { ", first at \($0)" } ?? ""
            return (
                !undecidedCategories.isEmpty, .registeredCategory,
                "registration of \(undecidedCategories.list): the sources compute "
                    + "\(computed.count) identifiers\(place)"
            )
        case .literals:
            return (
                !undecidedCategories.isEmpty, .sources,
                "registration of \(undecidedCategories.list), which the app's program does not tell"
            )
        }
    }
}

extension [String] {
    /// The first names, quoted.
    fileprivate var list: String {
        prefix(3).map(\.quoted).joined(separator: ", ") + (count > 3 ? " …" : "")
    }
}
