import ArgumentParser

/// The tool that makes the Xcode project of an app.
enum ProjectKind: String, ExpressibleByArgument, CaseIterable, Encodable {
    /// Files to add to a project by hand, also of React Native, Flutter and .NET MAUI.
    case xcode
    case xcodegen
    case tuist
    case expo

    /// True if the project's manifest names the package of Thimble.
    var namesPackage: Bool { self != .xcode }

    /// The steps that remain, in their order.
    func steps(_ names: ProjectNames) -> [String] {
        switch self {
        case .xcode:
            [
                "without the targets \(names.service) and \(names.content): add them in Xcode, delete "
                    + "the storyboard, and run this again with --force",
                "add Thimble's package: NotificationAdapters to \(names.service), "
                    + "NotificationContentAdapter to \(names.content)",
                "add the App Group \(names.appGroup) to all three targets",
                "add PictureNotifications.swift to the app, and call PictureNotifications.register() "
                    + "when it starts",
            ]
        case .xcodegen:
            [
                "in project.yml, write include: [thimble.yml]",
                "call PictureNotifications.register() when the app starts",
                "run xcodegen generate",
            ]
        case .tuist:
            [
                "in Project.swift, add the members of PictureNotificationTargets",
                "call PictureNotifications.register() when the app starts",
                "run tuist generate",
            ]
        case .expo:
            [
                "in app.json, add the plugins @bacons/apple-targets and ./plugins/with-thimble",
                "call registerPictureNotifications() when the app starts",
                "run npx expo prebuild -p ios --clean",
            ]
        }
    }
}
