/// Keys that the system ignores: misspelt ones, and those in a wrong dictionary.
extension PropertyListFile {
    /// A key of an Info.plist with the key that its author probably meant.
    package struct StrayKey {
        /// The key path.
        package let keys: [String]
        package let meant: DeclarationKey
        /// The explanation, as a phrase after the key's name.
        package let reason: String

        package var path: String { keys.joined(separator: ".") }
    }

    /// The dictionaries in which an extension declares something.
    private static let dictionaries = [[], ["NSExtension"], DeclarationKey.attributes.keys]

    /// The stray keys, sorted within each dictionary.
    package var strayKeys: [StrayKey] {
        Self.dictionaries.flatMap { parent -> [StrayKey] in
            guard case .dictionary(let values)? = value(at: parent) else { return [] }
            return values.keys.sorted().prefix(NearMiss.candidateLimit)
                .compactMap { Self.strayKey($0, in: parent) }
        }
    }

    private static func strayKey(_ name: String, in parent: [String]) -> StrayKey? {
        let own = DeclarationKey.allCases.filter { $0.keys.dropLast().elementsEqual(parent) }
        guard !own.contains(where: { $0.rawValue.isIdentical(to: name) }) else { return nil }
        let keys = parent + [name]
        if let meant = DeclarationKey.allCases.first(where: { $0.rawValue.isIdentical(to: name) }) {
            let place = meant.keys.dropLast().joined(separator: ".")
            return StrayKey(keys: keys, meant: meant, reason: "belongs in \(place)")
        }
        // Other keys may be similar to one of another dictionary.
        guard let nearMiss = NearMiss.nearest(to: name, among: own.map(\.rawValue)),
            let meant = DeclarationKey(rawValue: nearMiss.identifier)
        else { return nil }
        return StrayKey(keys: keys, meant: meant, reason: "is unknown; \(nearMiss)")
    }

    /// The fault of a missing key.
    package func missing(_ key: DeclarationKey) -> ProfileError {
        fault(.missingKey, in: key, "it is missing" + stray(key))
    }

    /// The key that is probably meant to be a missing one, as a suffix; empty without one.
    package func stray(_ key: DeclarationKey) -> String {
        guard let stray = strayKeys.first(where: { $0.meant == key }) else {
            let nearMiss = NearMiss.nearest(to: "NSExtension", among: root.keys.sorted())
            return value(at: ["NSExtension"]) == nil ? nearMiss.suffix : ""
        }
        return "; \((stray.keys.last ?? "").quoted) \(stray.reason)"
    }
}
