import Foundation
import NotificationCheck
import SampleApps
import Testing

/// A single fault of a built app, and its only expected finding.
struct AppFault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: CheckReport.Code
    let severity: CheckReport.Severity
    /// A required part of the message.
    let message: String
    /// The end of the path of the file at fault.
    let file: String
    let change: @Sendable (SampleApp) throws -> Void

    init(
        _ name: String, _ code: CheckReport.Code, _ message: String = "", in file: String,
        severity: CheckReport.Severity? = nil,
        change: @escaping @Sendable (SampleApp) throws -> Void
    ) {
        (testDescription, self.code, self.message, self.file) = (name, code, message, file)
        self.severity = severity ?? code.severity
        self.change = change
    }

    static let all = categories + sharing + extensions + programs

    private static let content = "PlugIns/Content.appex/Info.plist"
    private static let groups = "com.apple.security.application-groups"

    static let categories = [
        AppFault(
            "another category in the extension", .unknownCategory,
            "“org.example.photos” differs in one character", in: "payload.json"
        ) {
            $0.setContent("UNNotificationExtensionCategory", to: "org.example.photos")
            $0.app.program.strings.append("org.example.photos")
        },
        AppFault(
            "another category in the program", .unregisteredCategory,
            "the app's program does not contain “org.example.photo”; “org.example.Photo” differs "
                + "only in upper and lower case", in: "payload.json"
        ) { $0.app.program.strings = ["org.example.Photo", "UNNotificationCategory"] },
        AppFault(
            "a declaration that the program does not contain", .unregisteredDeclaration,
            "“org.example.album.of.the.day”", in: content
        ) {
            $0.setContent(
                "UNNotificationExtensionCategory",
                to: [SampleApp.category, "org.example.album.of.the.day"])
        },
        AppFault("a category twice in one extension", .duplicateCategory, "twice", in: content) {
            $0.setContent(
                "UNNotificationExtensionCategory", to: [SampleApp.category, SampleApp.category])
        },
        AppFault(
            "a category in two extensions", .duplicateCategory, "is also declared by",
            in: "PlugIns/Other.appex/Info.plist"
        ) {
            $0.extensions["Other"] = $0.extensions["Content"]
            $0.set("CFBundleExecutable", of: "Other", to: "Other")
            $0.set("CFBundleIdentifier", of: "Other", to: "org.example.daily.other")
        },
    ]

    static let sharing = [
        AppFault(
            "no push entitlement in the signature", .missingPushEntitlement, in: "Daily.app/Daily"
        ) { $0.app.entitlements?["aps-environment"] = nil },
        AppFault(
            "a service in no group", .missingAppGroup, "the service extension is in no App Group",
            in: "PlugIns/Service.appex/Service"
        ) { $0.extensions["Service"]?.entitlements = ["get-task-allow": true] },
        AppFault(
            "a signature without entitlements", .missingAppGroup, "the content extension",
            in: "PlugIns/Content.appex/Content"
        ) {
            $0.extensions["Content"]?.entitlements = nil
            $0.extensions["Content"]?.program.hasEncodedEntitlements = false
        },
        AppFault(
            "a group in other case", .appGroupMismatch, "only in upper and lower case",
            in: "PlugIns/Content.appex/Content"
        ) { $0.extensions["Content"]?.entitlements = [groups: ["group.org.example.Daily"]] },
        AppFault(
            "a group without its prefix", .appGroupPrefix, in: "PlugIns/Service.appex/Service"
        ) { $0.extensions["Service"]?.entitlements = [groups: ["org.example.daily"]] },
    ]

    static let extensions = [
        AppFault("no content extension", .missingExtension, "content", in: root, severity: .warning)
        { $0.extensions["Content"] = nil },
        AppFault("no extension", .missingExtension, "no notification extension", in: root) {
            $0.extensions = [:]
        },
        AppFault("no service extension", .missingExtension, "service", in: root, severity: .note) {
            $0.extensions["Service"] = nil
        },
        AppFault(
            "an extension in a folder of apps", .missingExtension, "does not end in .appex",
            in: "PlugIns/Content.app"
        ) { app in
            for name in ["Info.plist", "Content"] {
                app.moved["PlugIns/Content.appex/\(name)"] = "PlugIns/Content.app/\(name)"
            }
        },
        AppFault("a misspelt extension point", .extensionPoint, in: content) {
            $0.set(
                "NSExtension.NSExtensionPointIdentifier", of: "Content",
                to: "com.apple.usernotification.content-extension")
        },
        AppFault("a misspelt root key", .extensionPoint, "“NSExtention” differs", in: content) {
            let values = $0.extensions["Content"]?.info["NSExtension"]
            $0.set("NSExtension", of: "Content", to: nil)
            $0.set("NSExtention", of: "Content", to: values)
        },
        AppFault("no ratio", .missingKey, in: content) {
            $0.setContent("UNNotificationExtensionInitialContentSizeRatio", to: nil)
        },
        AppFault("a ratio in quotes", .wrongType, in: content) {
            $0.setContent("UNNotificationExtensionInitialContentSizeRatio", to: "0.75")
        },
        AppFault(
            "a misspelt optional key", .ignoredKey, "differs in one character", in: content
        ) {
            $0.setContent("UNNotificationExtensionDefaultContentHidden", to: nil)
            $0.setContent("UNNotificationExtensionDefaultContentHiden", to: true)
        },
        AppFault("a storyboard beside a class", .ambiguousEntry, in: content) {
            $0.set("NSExtension.NSExtensionMainStoryboard", of: "Content", to: "MainInterface")
        },
        AppFault("controls that nobody can touch", .interactionDisabled, in: content) {
            $0.setContent("UNNotificationExtensionUserInteractionEnabled", to: nil)
        },
        AppFault("an extension for a newer system", .newerSystem, in: content) {
            $0.set("MinimumOSVersion", of: "Content", to: "18.4")
        },
        AppFault("an extension of another app", .bundleIdentifier, in: content) {
            $0.set("CFBundleIdentifier", of: "Content", to: "org.example.weekly.content")
        },
    ]

    /// The end of every package's path.
    private static let root = ""

    static let programs = [
        AppFault("no signature", .unsigned, "neither a signature nor", in: "Daily.app/Daily") {
            $0.app.program.signature = .none
        },
        AppFault("the linker's signature", .unsigned, "app: ", in: "Daily.app/Daily") {
            $0.app.program.signature = .linker
        },
        AppFault("only a provisioning profile", .unsigned, "permits", in: "Content.appex/Content") {
            $0.extensions["Content"]?.program.signature = .none
            $0.files["PlugIns/Content.appex/embedded.mobileprovision"] =
                try SampleApp.provisioningProfile([groups: [SampleApp.group]])
        },
        AppFault("entitlements in DER only", .unsigned, "in DER only", in: "Service.appex/Service")
        {
            $0.extensions["Service"]?.entitlements = nil
        },
        AppFault("a damaged profile", .malformedFile, in: "embedded.mobileprovision") {
            $0.app.program.signature = .none
            $0.files["embedded.mobileprovision"] = [0x30, 0x82]
        },
        AppFault("no program", .unreadableFile, "missing", in: "PlugIns/Content.appex/Content") {
            $0.moved["PlugIns/Content.appex/Content"] = "PlugIns/Content.appex/Other"
        },
        AppFault("no name of the program", .missingKey, "CFBundleExecutable", in: content) {
            $0.set("CFBundleExecutable", of: "Content", to: nil)
        },
        AppFault("a program outside of the app", .invalidValue, "not a file name", in: content) {
            $0.set("CFBundleExecutable", of: "Content", to: "../../../Daily")
        },
        AppFault("a script for the program", .malformedFile, "Mach-O", in: "Content.appex/Content")
        {
            $0.files["PlugIns/Content.appex/Content"] = Array("#!/bin/sh\n".utf8)
        },
        AppFault("a program that is cut", .malformedFile, "cut off", in: "Content.appex/Content") {
            let program = try $0.contents()["PlugIns/Content.appex/Content"] ?? []
            $0.files["PlugIns/Content.appex/Content"] = Array(program.dropLast(40))
        },
        AppFault("a damaged signature", .malformedFile, "signature", in: "Content.appex/Content") {
            var program = try $0.contents()["PlugIns/Content.appex/Content"] ?? []
            let magic: [UInt8] = [0xFA, 0xDE, 0x71, 0x71]
            let place = try #require(
                program.indices.first { program[$0...].starts(with: magic) })
            program[place + 4] = 0x7F
            $0.files["PlugIns/Content.appex/Content"] = program
        },
        AppFault("damaged entitlements", .malformedFile, in: "PlugIns/Content.appex/Content") {
            $0.extensions["Content"]?.program.entitlements = Array("<plist><dict>".utf8)
        },
        AppFault("a damaged Info.plist of an extension", .malformedFile, in: content) {
            $0.files["PlugIns/Content.appex/Info.plist"] = Array("bplist00".utf8)
        },
        AppFault("no Info.plist", .unreadableFile, "missing", in: "Daily.app/Info.plist") {
            $0.moved["Info.plist"] = "Info.plist.old"
        },
    ]
}
