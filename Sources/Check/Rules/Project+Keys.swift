extension Project {
    /// Finds keys of content extensions that the system ignores, most of them optional.
    ///
    /// A missing required key has a finding of its own, which names its misspelling.
    func checkKeys() -> [Finding] {
        content.flatMap { target in
            target.file.strayKeys.filter { !target.file.isReported($0.meant) }.map { stray in
                Finding(
                    .ignoredKey, "\((stray.keys.last ?? "").quoted) \(stray.reason)",
                    at: target.file.place(stray.path))
            } + target.file.unknownAttributes
        }
    }
}

extension PropertyListFile {
    /// True if a missing key is itself a finding.
    fileprivate func isReported(_ key: DeclarationKey) -> Bool {
        func isMissing(_ key: DeclarationKey) -> Bool { value(at: key.keys) == nil }
        switch key {
        case .defaultContentHidden, .overridesDefaultTitle, .userInteractionEnabled, .attributes:
            return false
        case .principalClass, .mainStoryboard:
            return isMissing(.principalClass) && isMissing(.mainStoryboard)
        case .pointIdentifier, .category, .initialContentSizeRatio: return isMissing(key)
        }
    }

    /// Maximum number of notes; ten files with as many are enough to read.
    private static let unknownLimit = 100

    /// Notes about unknown attributes that look like attributes of content extensions.
    fileprivate var unknownAttributes: [CheckReport.Finding] {
        guard case .dictionary(let values)? = value(at: DeclarationKey.attributes.keys) else {
            return []
        }
        let known = DeclarationKey.allCases.map(\.rawValue) + strayKeys.compactMap(\.keys.last)
        return values.keys.sorted().filter {
            $0.hasPrefix("UNNotificationExtension") && !known.contains($0)
        }.prefix(Self.unknownLimit).map { name in
            CheckReport.Finding(
                .ignoredKey, "\(name.quoted) is unknown",
                at: place(DeclarationKey.attributes.path + "." + name))
        }
    }

    /// The finding about a storyboard beside a principal class.
    var ambiguousEntry: CheckReport.Finding? {
        let entries = [DeclarationKey.mainStoryboard, .principalClass]
        guard entries.allSatisfy({ value(at: $0.keys) != nil }) else { return nil }
        return CheckReport.Finding(
            .ambiguousEntry, "it has both a storyboard and a principal class",
            at: place(DeclarationKey.mainStoryboard))
    }
}
