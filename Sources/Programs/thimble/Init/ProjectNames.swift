import NotificationCheck

/// The names of a project that must be the same in several files.
///
/// They are plain enough to need no quoting in property lists, YAML, Swift and JavaScript.
struct ProjectNames: Encodable {
    /// The app's target.
    let name: String
    let bundleIdentifier: String
    let appGroup: String
    let category: String
    /// The target of the service extension, and its folder.
    let service: String
    /// The target of the content extension, and its folder.
    let content: String

    /// A name that a file could not contain.
    struct Invalid: Error, CustomStringConvertible {
        let option: String
        let value: String
        let rule: String

        var description: String { "--\(option) \(value.quoted): \(rule)" }
    }

    /// Creates names; nil stands for names that follow from the bundle identifier.
    init(
        bundleIdentifier: String, appGroup: String?, category: String, name: String?,
        service: String?, content: String?
    ) throws(Invalid) {
        self.bundleIdentifier = bundleIdentifier
        self.appGroup = appGroup ?? "group.\(bundleIdentifier)"
        self.category = category
        self.name = name ?? Self.name(from: bundleIdentifier)
        self.service = service ?? "\(self.name)Service"
        self.content = content ?? "\(self.name)Content"
        try check()
    }

    /// The last part of a bundle identifier, in the form of a target: `daily-pick` gives `DailyPick`.
    private static func name(from bundleIdentifier: String) -> String {
        let last = bundleIdentifier.split(separator: ".").last ?? ""
        return last.split { $0 == "-" || $0 == "_" }.map {
            $0.prefix(1).uppercased() + $0.dropFirst()
        }
        .joined()
    }

    private func check() throws(Invalid) {
        // Letters, digits, hyphens and full stops (Apple, CFBundleIdentifier).
        try Self.require(
            bundleIdentifier.split(separator: ".", omittingEmptySubsequences: false).count > 1
                && Self.isDotted(bundleIdentifier, others: "-"),
            "bundle-id", bundleIdentifier,
            "letters, digits and hyphens in two or more parts, such as org.example.daily")
        try Self.require(
            appGroup.hasPrefix("group.") && Self.isDotted(appGroup, others: "-_"),
            "app-group", appGroup,
            "group. and then letters, digits, hyphens and full stops, as in the developer account")
        try Self.require(
            Self.isWord(category, others: "-_."), "category", category,
            "letters, digits, hyphens, underscores and full stops")
        for (option, value) in [
            ("name", name), ("service-name", service), ("content-name", content),
        ] {
            try Self.require(
                Self.isWord(value, others: "_") && value.first?.isLetter == true
                    && !Self.yamlWords.contains(value.lowercased()), option, value,
                "a letter, and then letters, digits and underscores, but no word such as yes or null"
            )
        }
        let targets = [name, service, content, Self.appFolder].map { $0.lowercased() }
        try Self.require(
            Set(targets).count == targets.count, "service-name", service,
            "app and extensions need different names, and none is \(Self.appFolder)")
    }

    /// Words that are no strings in YAML 1.1 without quotation marks (types bool and null).
    private static let yamlWords: Set = [
        "y", "n", "yes", "no", "true", "false", "on", "off", "null",
    ]

    /// The folder of the files that belong to the app's target.
    static let appFolder = "PictureNotifications"

    private static func require(
        _ isValid: Bool, _ option: String, _ value: String, _ rule: String
    ) throws(Invalid) {
        guard isValid else { throw Invalid(option: option, value: value, rule: rule) }
    }

    private static func isDotted(_ text: String, others: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
            isWord(String($0), others: others)
        }
    }

    private static func isWord(_ text: String, others: String) -> Bool {
        // Names of folders are at most 255 bytes long.
        (1...100).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
                    || others.unicodeScalars.contains($0)
            }
    }
}
