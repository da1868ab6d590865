import NotificationPayload

extension Project {
    func checkCategories() -> [Finding] {
        var findings = duplicates()
        // Each category is reported from one side only.
        var reported: [String] = []
        for notification in notifications {
            guard let category = notification.content.categoryIdentifier, !category.isEmpty else {
                findings.append(missingCategory(notification))
                continue
            }
            guard let (finding, names) = fault(in: category, of: notification) else { continue }
            findings.append(finding)
            reported += names
        }
        return findings + unregisteredDeclarations(except: reported)
    }

    /// The categories of all content extensions; nil if incomplete.
    private var declared: [String]? {
        guard !content.isEmpty, content.count == input.contentInfoPlists.count else { return nil }
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
        in category: String, of notification: Notification
    ) -> (finding: Finding, names: [String])? {
        let candidates: [(code: CheckReport.Code, problem: String, names: [String]?)] = [
            (.unknownCategory, "no content extension declares", declared),
            (.unregisteredCategory, "the app does not register", input.registeredCategories),
        ]
        for (code, problem, names) in candidates {
            guard let names, !names.contains(where: { $0.isIdentical(to: category) }) else {
                continue
            }
            let nearMiss = NearMiss.nearest(to: category, among: names)
            let finding = Finding(
                code, "\(problem) \(category.quoted)" + nearMiss.suffix,
                at: notification.place("aps.category"))
            return (finding, [category] + [nearMiss?.identifier].compactMap(\.self))
        }
        return nil
    }

    private func unregisteredDeclarations(except reported: [String]) -> [Finding] {
        guard let registered = input.registeredCategories else { return [] }
        return content.flatMap { target in
            (target.categories ?? []).filter { category in
                !category.isEmpty && !category.isUnresolvedSetting
                    && !(registered + reported).contains { $0.isIdentical(to: category) }
            }.map { category in
                let nearMiss = NearMiss.nearest(to: category, among: registered)
                return Finding(
                    .unregisteredDeclaration,
                    "the app does not register \(category.quoted)" + nearMiss.suffix,
                    at: target.file.place(.category))
            }
        }
    }
}

extension Project.ContentExtension {
    fileprivate var hasDuplicate: Bool { faults.contains { $0.code == .duplicateCategory } }
}

extension String {
    /// True if it contains a build setting, such as `$(PRODUCT_NAME)`.
    var isUnresolvedSetting: Bool { contains("$(") || contains("${") }
}
