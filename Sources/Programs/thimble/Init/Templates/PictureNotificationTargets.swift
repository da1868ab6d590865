public import ProjectDescription

/// The notification extensions of __NAME__, for Project.swift.
///
/// `package` is one of the project's packages, and `all` are two of its targets. `sources`, `entitlements` and
/// `dependencies` belong to the app's target.
public enum PictureNotificationTargets {
    /// The package of Thimble.
    public static let package = Package.local(path: "__PACKAGE__")

    /// The entitlements of the app's target.
    public static let entitlements: Entitlements = "PictureNotifications/App.entitlements"

    /// The sources that register the category.
    public static let sources: SourceFileGlob = "PictureNotifications/*.swift"

    /// The dependencies that embed the extensions.
    public static let dependencies: [TargetDependency] = [
        .target(name: "__SERVICE__"), .target(name: "__CONTENT__"),
    ]

    /// Both extensions.
    public static let all: [Target] = [
        appExtension("__SERVICE__", "__BUNDLE_ID__.service", product: "NotificationAdapters"),
        appExtension("__CONTENT__", "__BUNDLE_ID__.content", product: "NotificationContentAdapter"),
    ]

    private static func appExtension(
        _ name: String, _ bundleId: String, product: String
    ) -> Target {
        .target(
            name: name, destinations: .iOS, product: .appExtension, bundleId: bundleId,
            deploymentTargets: .iOS("16.0"), infoPlist: .file(path: "\(name)/Info.plist"),
            sources: ["\(name)/**/*.swift"],
            entitlements: .file(path: "\(name)/\(name).entitlements"),
            dependencies: [.package(product: product)],
            settings: .settings(base: ["GENERATE_INFOPLIST_FILE": "YES", "SWIFT_VERSION": "6.0"]))
    }
}
