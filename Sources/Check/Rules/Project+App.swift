extension Project {
    /// Checks that the built app has its extensions, and that their entitlements are known.
    func checkApp() -> [Finding] {
        guard let bundle, let path = input.app else { return [] }
        let targets = [bundle.app].compactMap(\.self) + bundle.extensions
        return targets.compactMap(unsigned) + missingExtensions(of: bundle, at: Place(path))
    }

    private func unsigned(_ target: AppBundle.Target) -> Finding? {
        let reason: String
        switch target.entitlements {
        case .unknown(let text)?: reason = text
        case .permitted?:
            reason =
                "the program has no signature; the entitlements are those that its provisioning "
                + "profile permits"
        case .known?, nil: return nil
        }
        return Finding(.unsigned, "\(target.role.title): \(reason)", at: Place(target.program))
    }

    private func missingExtensions(of bundle: AppBundle, at place: Place) -> [Finding] {
        guard bundle.isComplete else { return [] }
        let hasService = !services.isEmpty
        if content.isEmpty {
            let what =
                hasService
                ? "the app contains no notification content extension"
                : "the app contains no notification extension"
            return [
                Finding(.missingExtension, what, at: place, severity: hasService ? .warning : nil)
            ]
        }
        guard !hasService else { return [] }
        let what = "the app contains no notification service extension"
        // Local notifications, and remote ones without pictures, need none.
        return [Finding(.missingExtension, what, at: place, severity: .note)]
    }
}
