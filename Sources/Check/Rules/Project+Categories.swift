import NotificationPayload

extension Project {
    func checkCategories() -> [Finding] {
        var findings = duplicates()
        // Each category is reported from one side only.
        var reported: [String] = []
        let declared = declared.map { CategoryNames($0) }
        var search = NearestSearch(registration)
        for notification in notifications {
            guard let category = notification.content.categoryIdentifier, !category.isEmpty else {
                findings += [missingCategory(notification)].compactMap(\.self)
                continue
            }
            guard let (finding, names) = fault(in: category, of: notification, declared, &search)
            else { continue }
            findings.append(finding)
            reported += names
        }
        return findings + unregisteredDeclarations(except: CategoryNames(reported), &search)
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

    /// The finding about a payload without a category; nil if the request cannot set one.
    ///
    /// Only a content extension needs a category: without any in the input, a missing one is a note.
    private func missingCategory(_ notification: Notification) -> Finding? {
        guard let path = notification.payload.path(of: .category) else { return nil }
        let value = notification.payload.document.value(at: path)
        let what =
            switch value {
            case nil: "the payload has no category"
            case .string: "the payload's category is empty"
            case .some: "the payload's category is not a string"
            }
        let isMissing = value == nil || value?.string != nil
        return Finding(
            .missingCategory, what, at: notification.place(path.description),
            severity: hasContentExtension || !isMissing ? nil : .note,
            remedy: notification.payload.envelope.map { _ in
                "set \(path) to a category that a content extension declares"
            })
    }

    private var hasContentExtension: Bool {
        !input.contentInfoPlists.isEmpty || input.app != nil || !input.sources.isEmpty
    }

    /// The fault of a payload's category, and the categories that it reports.
    private func fault(
        in category: String, of notification: Notification, _ declared: CategoryNames?,
        _ search: inout NearestSearch
    ) -> (finding: Finding, names: [String])? {
        if let declared, !declared.contains(category) {
            let nearMiss = declared.nearest(to: category)
            let finding = Finding(
                .unknownCategory,
                "no content extension declares \(category.quoted)" + nearMiss.suffix,
                at: notification.place(.category))
            return (finding, [category] + [nearMiss?.identifier].compactMap(\.self))
        }
        guard case .missing = registration.state(of: category) else { return nil }
        let nearMiss = search.nearest(to: category)
        let finding = Finding(
            .unregisteredCategory,
            "\(registration.problem) \(category.quoted)" + nearMiss.suffix,
            at: notification.place(.category))
        return (finding, [category] + [nearMiss?.identifier].compactMap(\.self))
    }

    private func unregisteredDeclarations(
        except reported: CategoryNames, _ search: inout NearestSearch
    ) -> [Finding] {
        content.flatMap { target in
            (target.categories ?? []).filter { category in
                !category.isEmpty && !category.isUnresolvedSetting && !reported.contains(category)
            }.compactMap { category in
                guard case .missing = registration.state(of: category) else { return nil }
                return Finding(
                    .unregisteredDeclaration,
                    "\(registration.problem) \(category.quoted)"
                        + search.nearest(to: category).suffix,
                    at: target.file.place(.category))
            }
        }
    }

    /// The categories of payloads and content extensions whose registration is unknown.
    var undecidedCategories: [String] {
        let payloads = notifications.compactMap(\.content.categoryIdentifier)
        var names = CategoryNames()
        for name in payloads + content.flatMap({ $0.categories ?? [] })
        where !name.isEmpty && !name.isUnresolvedSetting {
            if case .unknown = registration.state(of: name) { names.insert(name) }
        }
        return names.list
    }
}

/// Searches for the names that are nearest to missing categories.
private struct NearestSearch {
    private let registration: Registration
    /// The results; payloads may be many, of few categories.
    private var found: [[UInt8]: NearMiss?] = [:]

    /// Maximum number of searches; one in the literals of a large app takes 10 ms.
    private static let limit = 20

    init(_ registration: Registration) { self.registration = registration }

    mutating func nearest(to category: String) -> NearMiss? {
        let key = Array(category.utf8)
        if let known = found[key] { return known }
        guard found.count < Self.limit else { return nil }
        let nearest = registration.nearest(to: category)
        found[key] = .some(nearest)
        return nearest
    }
}

extension Project.ContentExtension {
    fileprivate var hasDuplicate: Bool { faults.contains { $0.code == .duplicateCategory } }
}

extension String {
    /// True if it contains a build setting, such as `$(PRODUCT_NAME)`.
    var isUnresolvedSetting: Bool { contains("$(") || contains("${") }
}
