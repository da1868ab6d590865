extension Project {
    private static let key = "keychain-access-groups"

    /// Finds targets that cannot read the key of sealed pictures.
    ///
    /// An App Group is a keychain group too, which the entitlements of App Groups grant.
    func checkKeychain() -> [Finding] {
        let uses = sealingKeys.uses.filter { $0.group?.hasPrefix("group.") != true }
        guard !uses.isEmpty else { return [] }
        return entitlements.compactMap { target in
            let groups: [String]
            do throws(ProfileError) {
                groups = (try target.file.value([Self.key], as: [PropertyValue].self) ?? [])
                    .compactMap { if case .string(let group) = $0 { group } else { nil } }
            } catch {
                return Finding(error)
            }
            let place = target.file.place(Self.key)
            guard !groups.isEmpty else {
                return Finding(
                    .missingKeychainGroup,
                    "the \(target.role.title) is in no keychain group, and the sources seal pictures",
                    at: place)
            }
            let lacking = uses.first { use in
                use.group.map { group in !groups.contains { Self.grants($0, group) } } ?? false
            }
            guard let lacking, let group = lacking.group else { return nil }
            return Finding(
                .missingKeychainGroup,
                "the \(target.role.title) is not in the keychain group \(group.quoted)"
                    + NearMiss.nearest(to: group, among: groups).suffix, at: lacking.place)
        }
    }

    /// True if an entitlement grants a group; its prefix may be a build setting, which ends with a full
    /// stop (Apple, Keychain Access Groups Entitlement).
    private static func grants(_ entitlement: String, _ group: String) -> Bool {
        if entitlement.isIdentical(to: group) { return true }
        guard entitlement.hasPrefix("$("), let end = entitlement.firstIndex(of: ")") else {
            return false
        }
        let name = entitlement[entitlement.index(after: end)...]
        return group.drop { $0 != "." }.dropFirst().elementsEqual(name)
    }
}
