import NotificationPayload

extension Project {
    func checkCategories() -> [Finding] {
        var findings = duplicates()
        // Each category is reported from one side only.
        var reported: [String] = []
        // A search among a program's literals takes milliseconds; payloads may be many.
        var states: [[UInt8]: Registration.State] = [:]
        for notification in notifications {
            guard let category = notification.content.categoryIdentifier, !category.isEmpty else {
                findings.append(missingCategory(notification))
                continue
            }
            let state = states[Array(category.utf8)] ?? registration.state(of: category)
            states[Array(category.utf8)] = state
            guard let (finding, names) = fault(in: category, state, of: notification) else {
                continue
            }
            findings.append(finding)
            reported += names
        }
        return findings + unregisteredDeclarations(except: reported)
    }

    /// The categories of all content extensions; nil if incomplete.
    private var declared: [String]? {
        guard !content.isEmpty, bundle?.isComplete != false,
            content.count
                == input.contentInfoPlists.count + (bundle?.targets(.content).count ?? 0)
        else { return nil }
        let lists = content.compactMap(\.categories)
        guard lists.count == content.count, !lists.joined().contains(where: \.isUnresolvedSetting)
        else { return nil }
        return lists.flatMap(\.self)
    }

    private func duplicates() -> [Finding] {
        ProfileSet.duplicates(
            in: content.map { ($0.file.path, $0.hasDuplicate ? [] : $0.categories ?? []) }
        ).map { Finding($0) }
    }

    private func missingCategory(_ notification: Notification) -> Finding {
        let value = notification.payload.document.value(at: JSONPath(keys: "aps", "category"))
        let what =
            switch value {
            case nil: "the payload has no category"
            case .string: "the payload's category is empty"
            case .some: "the payload's category is not a string"
            }
        return Finding(.missingCategory, what, at: notification.place("aps.category"))
    }

    /// The fault of a payload's category, and the categories that it reports.
    private func fault(
        in category: String, _ state: Registration.State, of notification: Notification
    ) -> (finding: Finding, names: [String])? {
        if let declared, !declared.contains(where: { $0.isIdentical(to: category) }) {
            let nearMiss = NearMiss.nearest(to: category, among: declared)
            let finding = Finding(
                .unknownCategory,
                "no content extension declares \(category.quoted)" + nearMiss.suffix,
                at: notification.place("aps.category"))
            return (finding, [category] + [nearMiss?.identifier].compactMap(\.self))
        }
        guard case .missing(let nearMiss) = state else { return nil }
        let finding = Finding(
            .unregisteredCategory,
            "\(registration.problem) \(category.quoted)" + nearMiss.suffix,
            at: notification.place("aps.category"))
        return (finding, [category] + [nearMiss?.identifier].compactMap(\.self))
    }

    private func unregisteredDeclarations(except reported: [String]) -> [Finding] {
        content.flatMap { target in
            (target.categories ?? []).filter { category in
                !category.isEmpty && !category.isUnresolvedSetting
                    && !reported.contains { $0.isIdentical(to: category) }
            }.compactMap { category in
                guard case .missing(let nearMiss) = registration.state(of: category) else {
                    return nil
                }
                return Finding(
                    .unregisteredDeclaration,
                    "\(registration.problem) \(category.quoted)" + nearMiss.suffix,
                    at: target.file.place(.category))
            }
        }
    }

    /// The categories of payloads and content extensions whose registration is unknown.
    var undecidedCategories: [String] {
        let payloads = notifications.compactMap(\.content.categoryIdentifier)
        var names: [String] = []
        for name in payloads + content.flatMap({ $0.categories ?? [] })
        where !name.isEmpty && !name.isUnresolvedSetting
            && !names.contains(where: { $0.isIdentical(to: name) })
        {
            if case .unknown = registration.state(of: name) { names.append(name) }
        }
        return names
    }
}

extension Project.ContentExtension {
    fileprivate var hasDuplicate: Bool { faults.contains { $0.code == .duplicateCategory } }
}

extension String {
    /// True if it contains a build setting, such as `$(PRODUCT_NAME)`.
    var isUnresolvedSetting: Bool { contains("$(") || contains("${") }
}
