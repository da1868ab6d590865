/// The files of a project's notification extensions, and the check of them.
struct ProjectFiles {
    /// A file to write.
    struct File {
        /// The path from the project's folder.
        let path: String
        let contents: [UInt8]
    }

    let kind: ProjectKind
    let names: ProjectNames
    let files: [File]

    /// Creates the files of a kind of project; `package` is nil if no file names it.
    init(_ kind: ProjectKind, _ names: ProjectNames, package: PackageLocation?) {
        self.kind = kind
        self.names = names
        let values = [
            "__NAME__": names.name, "__BUNDLE_ID__": names.bundleIdentifier,
            "__APP_GROUP__": names.appGroup, "__CATEGORY__": names.category,
            "__SERVICE__": names.service, "__CONTENT__": names.content,
        ].merging(package?.substitutions ?? [:]) { value, _ in value }
        let templates =
            Self.extensions(kind, names) + Self.app(kind)
            + Self.manifests(kind, names)
        files = templates.map { path, template in
            File(path: path, contents: ProjectTemplate(template).filled(with: values))
        }
    }

    private typealias Template = (path: String, text: [UInt8])

    private static func folder(_ target: String, _ kind: ProjectKind) -> String {
        kind == .expo ? "targets/\(target)" : target
    }

    private static func extensions(_ kind: ProjectKind, _ names: ProjectNames) -> [Template] {
        let (service, content) = (folder(names.service, kind), folder(names.content, kind))
        return [
            ("\(service)/NotificationService.swift", PackageResources.NotificationService_swift),
            ("\(service)/Info.plist", PackageResources.Service_Info_plist),
            ("\(service)/\(names.service).entitlements", PackageResources.Extension_entitlements),
            (
                "\(content)/NotificationViewController.swift",
                PackageResources.NotificationViewController_swift
            ),
            ("\(content)/Info.plist", PackageResources.Content_Info_plist),
            ("\(content)/\(names.content).entitlements", PackageResources.Extension_entitlements),
        ]
    }

    private static func app(_ kind: ProjectKind) -> [Template] {
        let payload = ("\(ProjectNames.appFolder)/payload.json", PackageResources.payload_json)
        // In Expo, the config plugin sets the app's entitlements, and the category is registered in
        // JavaScript.
        guard kind != .expo else {
            let script = PackageResources.pictureNotifications_js
            return [("\(ProjectNames.appFolder)/pictureNotifications.js", script), payload]
        }
        return [
            (
                "\(ProjectNames.appFolder)/PictureNotifications.swift",
                PackageResources.PictureNotifications_swift
            ),
            ("\(ProjectNames.appFolder)/App.entitlements", PackageResources.App_entitlements),
            payload,
        ]
    }

    private static func manifests(_ kind: ProjectKind, _ names: ProjectNames) -> [Template] {
        switch kind {
        case .xcode: []
        case .xcodegen: [("thimble.yml", PackageResources.thimble_yml)]
        case .tuist:
            [
                (
                    "Tuist/ProjectDescriptionHelpers/PictureNotificationTargets.swift",
                    PackageResources.PictureNotificationTargets_swift
                )
            ]
        case .expo:
            [
                ("plugins/with-thimble.js", PackageResources.with_thimble_js),
                (
                    "\(folder(names.service, kind))/expo-target.config.js",
                    PackageResources.service_expo_target_config_js
                ),
                (
                    "\(folder(names.content, kind))/expo-target.config.js",
                    PackageResources.content_expo_target_config_js
                ),
            ]
        }
    }
}

extension ProjectFiles {
    /// The arguments of `thimble check` for these files, in the project's folder.
    var checkArguments: [String] {
        let app = ProjectNames.appFolder
        let (service, content) = (
            Self.folder(names.service, kind), Self.folder(names.content, kind)
        )
        let registration =
            kind == .expo
            // The category is registered, and the app's group is named, in JavaScript.
            ? ["--sources", app, "--sources", "plugins", "--sources", "targets"]
            : [
                "--sources", app, "--sources", service, "--sources", content,
                "--app-entitlements", "\(app)/App.entitlements",
            ]
        return ["--payload", "\(app)/payload.json"] + registration + [
            "--service-info", "\(service)/Info.plist", "--profile", "\(content)/Info.plist",
            "--service-entitlements", "\(service)/\(names.service).entitlements",
            "--content-entitlements", "\(content)/\(names.content).entitlements",
        ]
    }
}
