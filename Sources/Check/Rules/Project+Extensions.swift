extension Project {
    /// Checks that each Info.plist belongs to its target and has comparable names.
    func checkTargets() -> [Finding] {
        var findings: [Finding] = []
        if let app, app.root["NSExtension"] != nil {
            findings.append(
                Finding(
                    .wrongTarget, "the app's Info.plist declares an extension",
                    at: app.place("NSExtension")))
        }
        for target in content
        where target.categories?.contains(where: \.isUnresolvedSetting) == true {
            findings.append(
                Finding(
                    .unresolvedSetting, "a category contains a build setting",
                    at: target.file.place(.category)))
        }
        return findings
    }

    func checkExtensions() -> [Finding] {
        let faults = content.flatMap(\.faults) + services.flatMap(Self.faults(inService:))
        let files = services + content.map(\.file)
        return faults.map { Finding($0) } + content.compactMap(\.file.ambiguousEntry)
            + files.compactMap(newerSystem) + files.compactMap(foreignIdentifier)
    }

    func checkInteraction() -> [Finding] {
        guard input.hasControls else { return [] }
        return content.compactMap { target in
            guard let profile = target.profile, !profile.isUserInteractionEnabled else {
                return nil
            }
            return Finding(
                .interactionDisabled, "the view has controls, and user interaction is not enabled",
                at: target.file.place(.userInteractionEnabled))
        }
    }

    private static func faults(inService file: PropertyListFile) -> [ProfileError] {
        let point = DeclarationKey.pointIdentifier
        do throws(ProfileError) {
            guard let identifier = try file.value(point.keys, as: String.self) else {
                return [file.missing(point)]
            }
            guard identifier == ExtensionPoint.service.rawValue else {
                return [
                    file.fault(
                        .wrongExtensionPoint, in: point,
                        "it is \(identifier.quoted), and a service extension's is "
                            + ExtensionPoint.service.rawValue)
                ]
            }
            // A service extension has no storyboard to load.
            guard try file.value(DeclarationKey.principalClass.keys, as: String.self) != nil else {
                return [file.missing(.principalClass)]
            }
            return []
        } catch {
            return [error]
        }
    }

    /// Compares the minimum systems of an extension and the app, as built products state them.
    private func newerSystem(_ file: PropertyListFile) -> Finding? {
        // The keys on iOS and macOS.
        for key in ["MinimumOSVersion", "LSMinimumSystemVersion"] {
            guard case .string(let own)? = file.value(at: [key]),
                case .string(let others)? = app?.value(at: [key]),
                let version = Self.version(own), let appVersion = Self.version(others),
                appVersion.lexicographicallyPrecedes(version)
            else { continue }
            return Finding(
                .newerSystem,
                "the extension requires version \(own.quoted), and the app \(others.quoted)",
                at: file.place(key))
        }
        return nil
    }

    /// Compares the bundle identifiers of an extension and the app.
    private func foreignIdentifier(_ file: PropertyListFile) -> Finding? {
        let key = "CFBundleIdentifier"
        guard case .string(let own)? = file.value(at: [key]),
            case .string(let others)? = app?.value(at: [key]), !own.isUnresolvedSetting,
            !others.isUnresolvedSetting, !own.utf8.starts(with: "\(others).".utf8)
        else { return nil }
        return Finding(
            .bundleIdentifier,
            "the extension's identifier \(own.quoted) does not begin with \("\(others).".quoted)",
            at: file.place(key))
    }

    /// The numbers of a version, without trailing zeros; nil if a part is not a number.
    private static func version(_ text: String) -> [UInt16]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt16($0) }
        guard parts.allSatisfy({ $0 != nil }) else { return nil }
        let numbers = parts.compactMap(\.self)
        return Array(numbers[...(numbers.lastIndex { $0 != 0 } ?? 0)])
    }
}
