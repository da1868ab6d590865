import Foundation
import NotificationCheck

extension Fault {
    static let files = [
        Fault("an app's Info.plist that is not there", .unreadableFile, in: "absent.plist") {
            $0.input.appInfoPlist = $0.path("absent.plist")
        },
        Fault("entitlements that are a folder", .unreadableFile, in: "container") {
            $0.input.appEntitlements = $0.path("container")
        },
        Fault("a payload that is not there", .unreadableFile, in: "absent.json") {
            $0.input.payloads = [.file($0.path("absent.json"))]
        },
        Fault(
            "an Info.plist that is cut", .malformedFile, in: "content.plist",
            damage: { try $0.write(Data("<plist><dict>".utf8), to: "content.plist") }),
        Fault(
            "a payload that is cut", .malformedPayload, in: "payload.json",
            damage: { try $0.write(Data("{".utf8), to: "payload.json") }),
        Fault(
            "an empty payload", .malformedPayload, in: "payload.json",
            damage: { try $0.write(Data("\n".utf8), to: "payload.json") }),
        Fault(
            "a payload that is a list", .malformedPayload, in: "payload.json",
            damage: { try $0.write(Data("[]".utf8), to: "payload.json") }),
        Fault("an extension's Info.plist for the app's", .wrongTarget, in: "service.plist") {
            $0.input.appInfoPlist = $0.path("service.plist")
        },
        Fault("a category from a build setting", .unresolvedSetting, in: "content.plist") {
            $0.setContent("UNNotificationExtensionCategory", to: "$(CATEGORY)")
        },
        Fault("a group from a build setting", .unresolvedSetting, in: "service.entitlements") {
            $0.setGroups("service", to: ["group.$(APP)"])
        },
    ]

    static let categories = [
        Fault("no category", .missingCategory, in: "payload.json") {
            $0.setPayload("aps.category", to: nil)
        },
        Fault("a category that is a number", .missingCategory, "not a string", in: "payload.json") {
            $0.setPayload("aps.category", to: 7)
        },
        Fault(
            "a category in other case", .unknownCategory,
            "declares “Photo”; “photo” differs only in upper and lower case", in: "payload.json"
        ) { $0.setCategory("Photo") },
        Fault(
            "a category with a space", .unknownCategory,
            "declares “photo ”; “photo” differs only in spaces", in: "payload.json"
        ) { $0.setCategory("photo ") },
        Fault("quite another category", .unknownCategory, "declares “weather”", in: "payload.json")
        { $0.setCategory("weather") },
        Fault(
            "a misspelt declaration", .unknownCategory, "“phot” differs in one character",
            in: "payload.json"
        ) { $0.setContent("UNNotificationExtensionCategory", to: ["phot", "album"]) },
        Fault(
            "a misspelt registration", .unregisteredCategory,
            "register “photo”; “photos” differs in one character", in: "payload.json"
        ) { $0.input.registeredCategories = ["photos", "album"] },
        Fault(
            "a declaration that is not registered", .unregisteredDeclaration, "“album”",
            in: "content.plist"
        ) { $0.input.registeredCategories = ["photo"] },
        Fault(
            "a category in two extensions", .duplicateCategory, "“photo” is also declared by",
            in: "other.plist"
        ) {
            $0.input.contentInfoPlists.append($0.path("other.plist"))
            $0.input.contentEntitlements.append($0.path("content.entitlements"))
        } damage: {
            var other = $0.content
            SampleProject.set(
                "NSExtension.NSExtensionAttributes.UNNotificationExtensionCategory", of: &other,
                to: "photo")
            try $0.writeList(other, to: "other.plist")
        },
        Fault("a category twice in one", .duplicateCategory, "twice", in: "content.plist") {
            $0.setContent("UNNotificationExtensionCategory", to: ["photo", "album", "photo"])
        },
    ]

    static let delivery = [
        Fault("no mutable-content", .notMutable, "has no mutable-content", in: "payload.json") {
            $0.setPayload("aps.mutable-content", to: nil)
        },
        Fault("a mutable-content of 0", .notMutable, "is not 1", in: "payload.json") {
            $0.setPayload("aps.mutable-content", to: 0)
        },
        Fault("a mutable-content in quotes", .notMutable, "is a string", in: "payload.json") {
            $0.setPayload("aps.mutable-content", to: "1")
        },
        Fault("no alert", .missingAlert, in: "payload.json") {
            $0.setPayload("aps.alert", to: nil)
        },
        Fault("an alert that is empty", .missingAlert, in: "payload.json") {
            $0.setPayload("aps.alert", to: ["title": "", "body": ""])
        },
        Fault("a payload of 5 kB", .payloadTooLarge, "at most 4096", in: "payload.json") {
            $0.setPayload("letter", to: String(repeating: "a", count: 5000))
        },
        Fault("no push entitlement", .missingPushEntitlement, in: "app.entitlements") {
            $0.entitlements["app"]?["aps-environment"] = nil
        },
        Fault(
            "another push environment", .missingPushEntitlement, "neither", in: "app.entitlements"
        ) { $0.entitlements["app"]?["aps-environment"] = "sandbox" },
    ]

    static let sharing = [
        Fault(
            "an extension in no group", .missingAppGroup, "content extension is in no App Group",
            in: "content.entitlements"
        ) { $0.setGroups("content", to: nil) },
        Fault("no group in the list", .missingAppGroup, in: "service.entitlements") {
            $0.setGroups("service", to: [String]())
        },
        Fault("groups that are a text", .missingAppGroup, "it is a string", in: "app.entitlements")
        {
            $0.setGroups("app", to: "group.org.example.daily")
        },
        Fault(
            "a number among groups", .missingAppGroup, "it contains a number",
            in: "app.entitlements"
        ) {
            $0.setGroups("app", to: ["group.org.example.daily", 7] as [Any])
        },
        Fault(
            "a target outside of the keychain group", .missingKeychainGroup, "in no keychain group",
            in: "content.entitlements"
        ) { project in
            for target in ["app", "service"] {
                project.entitlements[target]?["keychain-access-groups"] = ["A.org.example.daily"]
            }
            project.input.sources = [project.path("Keys.swift")]
            try Data("let keys = KeychainSealingKey(accessGroup: \"A.org.example.daily\")".utf8)
                .write(to: URL(fileURLWithPath: project.path("Keys.swift")))
        },
        Fault("a group without its prefix", .appGroupPrefix, in: "service.entitlements") {
            $0.setGroups("service", to: ["org.example.daily"])
        },
        Fault(
            "a group in other case", .appGroupMismatch,
            "“group.org.example.Daily” differs only in upper and lower case",
            in: "content.entitlements"
        ) { $0.setGroups("content", to: ["group.org.example.Daily"]) },
        Fault(
            "another group", .appGroupMismatch,
            "service extension is not in the App Group “group.org.example.daily”",
            in: "service.entitlements"
        ) { $0.setGroups("service", to: ["group.com.other"]) },
    ]

    static let extensions = [
        Fault("a service that extends content", .extensionPoint, in: "service.plist") {
            SampleProject.set(
                "NSExtension.NSExtensionPointIdentifier", of: &$0.service,
                to: "com.apple.usernotifications.content-extension")
        },
        Fault("a service without a point", .extensionPoint, in: "service.plist") {
            SampleProject.set("NSExtension.NSExtensionPointIdentifier", of: &$0.service, to: nil)
        },
        Fault("a service without a class", .missingKey, in: "service.plist") {
            SampleProject.set("NSExtension.NSExtensionPrincipalClass", of: &$0.service, to: nil)
        },
        Fault("a service whose class is a number", .wrongType, in: "service.plist") {
            SampleProject.set("NSExtension.NSExtensionPrincipalClass", of: &$0.service, to: 1)
        },
        Fault("content that extends the service", .extensionPoint, in: "content.plist") {
            SampleProject.set(
                "NSExtension.NSExtensionPointIdentifier", of: &$0.content,
                to: "com.apple.usernotifications.service")
        },
        Fault("content without a point", .extensionPoint, in: "content.plist") {
            SampleProject.set("NSExtension.NSExtensionPointIdentifier", of: &$0.content, to: nil)
        },
        Fault("nothing to load", .missingKey, in: "content.plist") {
            SampleProject.set("NSExtension.NSExtensionMainStoryboard", of: &$0.content, to: nil)
        },
        Fault("no declared category", .missingKey, in: "content.plist") {
            $0.setContent("UNNotificationExtensionCategory", to: nil)
        },
        Fault("no ratio", .missingKey, in: "content.plist") {
            $0.setContent("UNNotificationExtensionInitialContentSizeRatio", to: nil)
        },
        Fault("a ratio that is a text", .wrongType, in: "content.plist") {
            $0.setContent("UNNotificationExtensionInitialContentSizeRatio", to: "0.75")
        },
        Fault("a ratio of 0", .invalidValue, in: "content.plist") {
            $0.setContent("UNNotificationExtensionInitialContentSizeRatio", to: 0)
        },
        Fault("an infinite ratio", .invalidValue, in: "content.plist") {
            $0.setContent("UNNotificationExtensionInitialContentSizeRatio", to: Double.infinity)
        },
        Fault("hidden content that is a number", .wrongType, in: "content.plist") {
            $0.setContent("UNNotificationExtensionDefaultContentHidden", to: 1)
        },
        Fault("controls that nobody can touch", .interactionDisabled, in: "content.plist") {
            $0.setContent("UNNotificationExtensionUserInteractionEnabled", to: nil)
        },
        Fault(
            "a misspelt optional key", .ignoredKey,
            "“UNNotificationExtensionDefaultContentHiden” is unknown; "
                + "“UNNotificationExtensionDefaultContentHidden” differs in one character",
            in: "content.plist"
        ) { $0.setContent("UNNotificationExtensionDefaultContentHiden", to: true) },
        Fault("an optional key in other case", .ignoredKey, "upper and lower", in: "content.plist")
        { $0.setContent("UNNotificationExtensionOverridesDefaulttitle", to: true) },
        Fault(
            "an optional key beside its dictionary", .ignoredKey,
            "belongs in NSExtension.NSExtensionAttributes", in: "content.plist"
        ) {
            SampleProject.set(
                "NSExtension.UNNotificationExtensionDefaultContentHidden", of: &$0.content, to: true
            )
        },
        Fault("an unknown attribute", .ignoredKey, "is unknown", in: "content.plist") {
            $0.setContent("UNNotificationExtensionBackgroundColour", to: "red")
        },
        Fault(
            "a misspelt required key", .missingKey,
            "it is missing; “UNNotificationExtensionInitialContentSizeRato” is unknown",
            in: "content.plist"
        ) {
            $0.setContent("UNNotificationExtensionInitialContentSizeRatio", to: nil)
            $0.setContent("UNNotificationExtensionInitialContentSizeRato", to: 0.75)
        },
        Fault("a storyboard beside a class", .ambiguousEntry, in: "content.plist") {
            SampleProject.set(
                "NSExtension.NSExtensionPrincipalClass", of: &$0.content, to: "Content.Controller")
        },
        Fault(
            "an extension of another app", .bundleIdentifier,
            "does not begin with “org.example.daily.”", in: "service.plist"
        ) { $0.service["CFBundleIdentifier"] = "org.example.dailyservice" },
        Fault(
            "an extension for a newer system", .newerSystem,
            "requires version “18.10”, and the app “18.0”", in: "service.plist"
        ) { $0.service["MinimumOSVersion"] = "18.10" },
    ]
}
