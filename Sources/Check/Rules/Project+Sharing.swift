extension Project {
    func checkSharing() -> [Finding] {
        var findings: [Finding] = []
        var members: [Membership] = []
        for target in entitlements {
            let place = target.file.place(Self.key)
            do throws(ProfileError) {
                let groups = try Self.groups(in: target.file)
                let unprefixed = groups.filter {
                    !$0.hasPrefix("group.") && !$0.isUnresolvedSetting
                }
                findings += unprefixed.map {
                    Finding(
                        .appGroupPrefix, "the App Group \($0.quoted) does not begin with group.",
                        at: place)
                }
                if groups.isEmpty {
                    findings.append(
                        Finding(
                            .missingAppGroup, "the \(target.role.title) is in no App Group",
                            at: place))
                } else if groups.contains(where: \.isUnresolvedSetting) {
                    findings.append(
                        Finding(
                            .unresolvedSetting, "an App Group contains a build setting", at: place))
                } else if unprefixed.isEmpty {
                    members.append(Membership(target: target, groups: groups))
                }
            } catch {
                findings.append(
                    Finding(
                        .missingAppGroup,
                        "the \(target.role.title)'s list of App Groups is invalid: \(error.reason)",
                        at: place))
            }
        }
        let mismatches = mismatches(among: members)
        return findings + mismatches
            + sourceMismatches(among: members, areConsistent: mismatches.isEmpty)
    }

    private struct Membership {
        let target: Entitlements
        let groups: [String]

        func contains(_ group: String) -> Bool { groups.contains { $0.isIdentical(to: group) } }
    }

    private static let key = "com.apple.security.application-groups"
    /// Maximum number of groups of a target; all are compared with the other targets' groups.
    private static let groupLimit = 100

    private static func groups(in file: PropertyListFile) throws(ProfileError) -> [String] {
        var groups: [String] = []
        let values = try file.value([key], as: [PropertyValue].self) ?? []
        guard values.count <= groupLimit else {
            throw ProfileError(
                .tooComplex, file: file.path, key: key,
                reason: "it contains more than \(groupLimit) groups")
        }
        for value in values {
            guard case .string(let group) = value else {
                throw ProfileError(
                    .wrongType, file: file.path, key: key,
                    reason: "it contains \(value.typeName); only strings are allowed")
            }
            groups.append(group)
        }
        return groups
    }

    private func mismatches(among members: [Membership]) -> [Finding] {
        var common: (group: String, count: Int)?
        for group in members.flatMap(\.groups) {
            let count = members.count { $0.contains(group) }
            if count > common?.count ?? 0 { common = (group, count) }
        }
        guard let group = common?.group else { return [] }
        return members.filter { !$0.contains(group) }.map { member in
            let nearMiss = NearMiss.nearest(to: group, among: member.groups)
            return Finding(
                .appGroupMismatch,
                "the \(member.target.role.title) is not in the App Group \(group.quoted)"
                    + nearMiss.suffix, at: member.target.file.place(Self.key))
        }
    }
}

extension Project {
    /// Finds App Groups of the sources that targets lack.
    ///
    /// Without entitlements, the sources are compared with each other. A group that only some targets have
    /// is a warning, because the sources do not tell the target of a file.
    private func sourceMismatches(
        among members: [Membership], areConsistent: Bool
    ) -> [Finding] {
        let groups = sourceGroups.groups
        guard !members.isEmpty else {
            return groups.dropFirst().map { group, place in
                let other = groups[0].name
                return Finding(
                    .appGroupMismatch,
                    "the sources name the App Group \(group.quoted), and also \(other.quoted)"
                        + NearMiss.nearest(to: group, among: [other]).suffix, at: place)
            }
        }
        return groups.compactMap { group, place in
            let lacking = members.filter { !$0.contains(group) }
            let isUnknown = lacking.count == members.count
            // Targets that differ among themselves have a finding already.
            guard let member = lacking.first, isUnknown || areConsistent else { return nil }
            return Finding(
                .appGroupMismatch,
                "the sources name the App Group \(group.quoted), and the "
                    + "\(member.target.role.title) is not in it"
                    + NearMiss.nearest(to: group, among: member.groups).suffix,
                at: place, severity: isUnknown ? nil : .warning)
        }
    }
}

extension Project.Role {
    var title: String {
        switch self {
        case .app: "app"
        case .service: "service extension"
        case .content: "content extension"
        }
    }
}
