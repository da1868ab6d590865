import ExtensionProfile
import NotificationPayload

extension Project {
    /// Whether payloads, content extensions and the app name the same categories.
    func checkCategories() -> [CheckReport.Finding] {
        var findings = duplicates()
        // What was said of a category already is not said again from the other side.
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

    /// The categories that content extensions declare; nil when one of them may be missing.
    private var declared: [String]? {
        guard !content.isEmpty, content.count == input.contentInfoPlists.count else { return nil }
        let lists = content.compactMap(\.categories)
        guard lists.count == content.count,
            !lists.joined().contains(where: \.isUnresolvedSetting)
        else { return nil }
        return lists.flatMap(\.self)
    }

    private func duplicates() -> [CheckReport.Finding] {
        ProfileSet.duplicates(
            in: content.map { ($0.file.path, $0.isRepeating ? [] : $0.categories ?? []) }
        ).map { CheckReport.Finding($0) }
    }

    private func missingCategory(_ notification: Notification) -> CheckReport.Finding {
        let value = notification.payload.document.value(at: JSONPath(keys: "aps", "category"))
        let what =
            switch value {
            case nil: "the payload has no category"
            case .string: "the payload's category is empty"
            case .some: "the payload's category is no text"
            }
        return CheckReport.Finding(.missingCategory, what, at: notification.place("aps.category"))
    }

    /// What is wrong with a payload's category, and the categories that are spoken of.
    private func fault(
        in category: String, of notification: Notification
    ) -> (finding: CheckReport.Finding, names: [String])? {
        let candidates: [(code: CheckReport.Code, who: String, names: [String]?)] = [
            (.unknownCategory, "no content extension declares", declared),
            (.unregisteredCategory, "the app does not register", input.registeredCategories),
        ]
        for (code, who, names) in candidates {
            guard let names, !names.contains(where: { $0.isIdentical(to: category) }) else {
                continue
            }
            let nearMiss = NearMiss.nearest(to: category, among: names)
            let finding = CheckReport.Finding(
                code, "\(who) \(category.quoted)" + (nearMiss.map { "; \($0)" } ?? ""),
                at: notification.place("aps.category"))
            return (finding, [category] + [nearMiss?.identifier].compactMap(\.self))
        }
        return nil
    }

    private func unregisteredDeclarations(except reported: [String]) -> [CheckReport.Finding] {
        guard let registered = input.registeredCategories else { return [] }
        return content.flatMap { target in
            (target.categories ?? []).filter { category in
                !category.isEmpty && !category.isUnresolvedSetting
                    && !(registered + reported).contains { $0.isIdentical(to: category) }
            }.map { category in
                let nearMiss = NearMiss.nearest(to: category, among: registered)
                return CheckReport.Finding(
                    .unregisteredDeclaration,
                    "the app does not register \(category.quoted)"
                        + (nearMiss.map { "; \($0)" } ?? ""),
                    at: CheckReport.Place(target.file.path, key: DeclarationKey.category.path))
            }
        }
    }
}

extension Project.ContentExtension {
    /// Whether it names a category twice itself, which was said already.
    fileprivate var isRepeating: Bool { faults.contains { $0.code == .duplicateCategory } }
}

extension String {
    /// Whether it holds a build setting, such as `$(PRODUCT_NAME)`, that only a product fills in.
    var isUnresolvedSetting: Bool { contains("$(") || contains("${") }
}
