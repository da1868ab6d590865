package import Foundation

/// A built app with a service and a content extension, without faults, in a temporary folder that is
/// removed with it.
///
/// A test changes one part and then writes it.
package final class SampleApp {
    package let folder: URL
    package var app: Target
    /// The extensions, by the name of their folders in `PlugIns`.
    package var extensions: [String: Target]
    /// Further files in the app.
    package var files: [String: [UInt8]] = [:]
    /// Other names of files.
    package var moved: [String: String] = [:]
    /// Changes an archive before it is written.
    package var change: (inout SampleZip) -> Void = { _ in }

    package static let category = "org.example.photo"
    package static let group = "group.org.example.daily"

    package struct Target {
        package var info: [String: Any]
        /// True for an Info.plist in binary, as in built products.
        package var isBinary = true
        package var entitlements: [String: Any]? = [
            "com.apple.security.application-groups": [SampleApp.group]
        ]
        /// The program, with the target's entitlements.
        package var program: SampleProgram
    }

    package enum Package: String, CaseIterable, Sendable {
        case app = "Daily.app"
        case xcarchive = "Daily.xcarchive"
        case ipa = "Daily.ipa"
        case zippedArchive = "Daily.xcarchive.zip"

        /// The app's folder in the package.
        package var root: String {
            switch self {
            case .app: ""
            case .xcarchive: "Products/Applications/Daily.app"
            case .ipa: "Payload/Daily.app"
            case .zippedArchive: "Daily.xcarchive/Products/Applications/Daily.app"
            }
        }

        package var isZip: Bool { self == .ipa || self == .zippedArchive }
    }

    package init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-app-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        app = Target(
            info: Self.info("org.example.daily", "Daily"),
            program: SampleProgram(strings: ["title", Self.category, "UNNotificationCategory"]))
        app.entitlements?["aps-environment"] = "production"
        var service = Self.info("org.example.daily.service", "Service")
        service["NSExtension"] = [
            "NSExtensionPointIdentifier": "com.apple.usernotifications.service",
            "NSExtensionPrincipalClass": "Service.NotificationService",
        ]
        var content = Self.info("org.example.daily.content", "Content")
        content["NSExtension"] =
            [
                "NSExtensionPointIdentifier": "com.apple.usernotifications.content-extension",
                "NSExtensionPrincipalClass": "Content.NotificationViewController",
                "NSExtensionAttributes": [
                    "UNNotificationExtensionCategory": [Self.category],
                    "UNNotificationExtensionInitialContentSizeRatio": 0.75,
                    "UNNotificationExtensionUserInteractionEnabled": true,
                    "UNNotificationExtensionDefaultContentHidden": true,
                ] as [String: Any],
            ] as [String: Any]
        var share = Self.info("org.example.daily.share", "Share")
        share["NSExtension"] = ["NSExtensionPointIdentifier": "com.apple.share-services"]
        extensions = [
            "Service": Target(info: service, program: SampleProgram()),
            "Content": Target(info: content, program: SampleProgram()),
            // Of another kind, in no App Group.
            "Share": Target(info: share, entitlements: [:], program: SampleProgram()),
        ]
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func info(_ identifier: String, _ program: String) -> [String: Any] {
        [
            "CFBundleIdentifier": identifier, "CFBundleExecutable": program,
            "MinimumOSVersion": "18.0",
        ]
    }

    /// Changes an extension's value at a dotted key path; nil removes it.
    package func set(_ path: String, of name: String, to value: Any?) {
        guard var target = extensions[name] else { return }
        Self.set(path.split(separator: ".").map(String.init)[...], of: &target.info, to: value)
        extensions[name] = target
    }

    /// Changes an attribute of the content extension.
    package func setContent(_ attribute: String, to value: Any?) {
        set("NSExtension.NSExtensionAttributes.\(attribute)", of: "Content", to: value)
    }

    private static func set(
        _ keys: ArraySlice<String>, of values: inout [String: Any], to value: Any?
    ) {
        guard let first = keys.first else { return }
        guard keys.count > 1 else {
            values[first] = value
            return
        }
        var inner = values[first] as? [String: Any] ?? [:]
        set(keys.dropFirst(), of: &inner, to: value)
        values[first] = inner
    }

    /// The files of the app, by their names in it.
    package func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        try add(app, in: "", to: &contents)
        for (name, target) in extensions {
            try add(target, in: "PlugIns/\(name).appex/", to: &contents)
        }
        contents.merge(files) { _, other in other }
        for (name, other) in moved { contents[other] = contents.removeValue(forKey: name) }
        return contents
    }

    private func add(
        _ target: Target, in folder: String, to contents: inout [String: [UInt8]]
    ) throws {
        contents[folder + "Info.plist"] = try Self.list(target.info, isBinary: target.isBinary)
        guard let name = target.info["CFBundleExecutable"] as? String else { return }
        var program = target.program
        if program.entitlements == nil {
            program.entitlements = try target.entitlements.map { try Self.list($0) }
        }
        contents[folder + String(name.split(separator: "/").last ?? "")] = program.bytes
    }

    package static func list(_ values: [String: Any], isBinary: Bool = false) throws -> [UInt8] {
        Array(
            try PropertyListSerialization.data(
                fromPropertyList: values, format: isBinary ? .binary : .xml, options: 0))
    }

    /// A provisioning profile: a property list between other bytes.
    package static func provisioningProfile(_ entitlements: [String: Any]) throws -> [UInt8] {
        let list = try list(["Name": "Daily", "Entitlements": entitlements])
        return [0x30, 0x82, 0x10, 0x00, 0x06, 0x09] + list + [0xA0, 0x82, 0x00]
    }

    /// Writes the app as a package and returns its path.
    package func write(as package: Package) throws -> String {
        let contents = try contents()
        let path = folder.appending(path: package.rawValue)
        if package.isZip {
            var zip = SampleZip()
            for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
                zip.add("\(package.root)/\(name)", bytes)
            }
            change(&zip)
            try Data(zip.bytes).write(to: path)
            return path.path
        }
        for (name, bytes) in contents {
            let file = path.appending(path: package.root).appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        // An archive of Xcode has an Info.plist of its own.
        if package == .xcarchive {
            try Data(Self.list(["Name": "Daily"])).write(to: path.appending(path: "Info.plist"))
        }
        return path.path
    }
}
