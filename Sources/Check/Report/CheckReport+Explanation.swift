extension CheckReport.Code {
    /// The consequence of a finding, without a full stop.
    public var consequence: String {
        switch self {
        case .unreadableFile, .malformedFile, .malformedPayload:
            "neither this check nor the system can read its contents"
        case .wrongTarget: "it declares another target, so the system uses a different file"
        case .unresolvedSetting:
            "the built product's value is unknown, so the name was not compared"
        case .unsigned:
            "the system runs only signed programs, and the entitlements of this one are uncertain"
        case .missingCategory:
            "the system then shows its own interface and does not call a content extension"
        case .unknownCategory, .unregisteredCategory, .unregisteredDeclaration:
            "names must match exactly; otherwise the custom interface silently does not appear"
        case .duplicateCategory: "the system's choice between the two is undocumented"
        case .notMutable, .missingAlert:
            "the system does not call the service extension, so no picture is attached"
        case .payloadTooLarge: "APNs rejects it, so nothing is delivered"
        case .missingPushEntitlement: "the app gets no device token, so no notification reaches it"
        case .missingAppGroup, .appGroupPrefix, .appGroupMismatch:
            "the target has no shared folder, or a different one, so it cannot see the service "
                + "extension's output"
        case .missingKeychainGroup:
            "the target cannot read the key, so pictures are not sealed or cannot be shown"
        case .missingExtension: "the system shows its own interface, or the original notification"
        case .ignoredKey: "the system ignores the key, and the default of the intended one applies"
        case .ambiguousEntry:
            "the keys exclude each other, so the system does not load the extension"
        case .bundleIdentifier: "the system refuses to install the app"
        case .extensionPoint: "the system does not load the extension for notifications"
        case .missingKey, .wrongType, .invalidValue:
            "the system cannot load the extension as intended, and shows its own interface"
        case .newerSystem:
            "on systems between the two versions the app runs but its extension is silently not called"
        case .interactionDisabled: "any touch in the interface opens the app"
        case .missingContainer, .containerVersion, .unreadableContainer, .missingManifest,
            .missingRendition:
            "the content extension can show only the placeholder, if anything"
        case .manifestCategory: "the picture was made for another content extension"
        case .overRenderBudget:
            "decoding it can exceed the content extension's memory limit, and the system then "
                + "kills the extension silently"
        case .ratioMismatch:
            "the view changes its height after it appears, or shows the picture with bars"
        case .renditionType, .renditionTooLarge, .attachmentType, .mediumTooLarge,
            .missingAttachment, .damagedAttachment:
            "the system rejects the attachment, and the notification appears without it"
        case .missingMediaKey: "the service extension has nothing to fetch"
        case .insecureMedia: "the system blocks the download, so no picture is attached"
        case .pictureFormat, .pictureTooLarge:
            "the system rejects the original, and accepts only a re-encoded picture"
        case .fileExtension: "the system derives the type from the extension, and rejects the file"
        case .customSound: "if the file is missing, the system plays its default sound"
        case .soundType: "the system plays its default sound instead"
        }
    }

    /// The source for the consequence: the title of an Apple page, or field reports.
    public var source: String {
        switch self {
        case .unreadableFile, .malformedFile, .wrongTarget, .unresolvedSetting:
            "Apple, Information Property List"
        case .unsigned: "Apple, TN3125: Inside Code Signing: Provisioning Profiles"
        case .missingExtension: "Apple, Customizing the Appearance of Notifications"
        case .ambiguousEntry: "Apple, NSExtensionPrincipalClass"
        case .bundleIdentifier: "Apple, CFBundleIdentifier"
        case .malformedPayload, .payloadTooLarge: "Apple, Generating a remote notification"
        case .missingCategory, .unknownCategory, .unregisteredCategory, .unregisteredDeclaration:
            "Apple, Declaring your actionable notification types"
        case .duplicateCategory, .extensionPoint, .missingKey, .wrongType, .invalidValue,
            .ignoredKey, .interactionDisabled:
            "Apple, UNNotificationContentExtension; UNNotificationServiceExtension"
        case .notMutable, .missingAlert, .missingMediaKey: "Apple, UNNotificationServiceExtension"
        case .missingPushEntitlement: "Apple, APS Environment Entitlement"
        case .missingAppGroup, .appGroupPrefix, .appGroupMismatch: "Apple, Configuring app groups"
        case .missingKeychainGroup: "Apple, Keychain Access Groups Entitlement"
        case .newerSystem: "Apple, MinimumOSVersion; field reports"
        case .missingContainer, .containerVersion, .unreadableContainer, .missingManifest,
            .manifestCategory, .missingRendition, .ratioMismatch:
            "Apple, Customizing the Appearance of Notifications"
        case .overRenderBudget: "field reports: the limit of content extensions is not published"
        case .renditionType, .renditionTooLarge, .missingAttachment, .pictureFormat,
            .pictureTooLarge, .attachmentType, .damagedAttachment, .mediumTooLarge:
            "Apple, UNNotificationAttachment"
        case .fileExtension: "field reports: “Unrecognized attachment file type”"
        case .insecureMedia: "Apple, Preventing Insecure Network Connections"
        case .customSound, .soundType: "Apple, UNNotificationSound"
        }
    }

    /// The action to take, without a full stop.
    public var remedy: String {
        switch self {
        case .unreadableFile: "check the path, and that this process may read the file"
        case .malformedFile: "write the file again; plutil -lint shows the fault"
        case .malformedPayload: "check the payload with a JSON validator"
        case .wrongTarget: "give the file of the target that the input names"
        case .unresolvedSetting: "give the file from the built product"
        case .unsigned: "sign the app with its entitlements, or give the entitlements' files"
        case .missingCategory: "set aps.category to a category that a content extension declares"
        case .unknownCategory:
            "use the same category in aps.category and in UNNotificationExtensionCategory"
        case .unregisteredCategory, .unregisteredDeclaration:
            "register it with setNotificationCategories(_:) when the app starts"
        case .duplicateCategory: "declare each category in one extension only"
        case .notMutable: "set aps.mutable-content to the number 1"
        case .missingAlert: "give aps.alert a title or a body"
        case .payloadTooLarge: "shorten texts and keys, or let the app fetch long content"
        case .missingPushEntitlement: "add the Push Notifications capability to the app's target"
        case .missingAppGroup: "add the App Groups capability to the target, with the same group"
        case .appGroupPrefix: "start the name with group. in every target and in the code"
        case .appGroupMismatch: "give every target exactly the same group"
        case .missingKeychainGroup:
            "add the Keychain Sharing capability to the target, with the group of the code"
        case .extensionPoint: "set NSExtensionPointIdentifier to the target's required value"
        case .missingExtension: "embed the extension's target in the app"
        case .ignoredKey: "correct or remove the key"
        case .ambiguousEntry: "remove the storyboard's key, or that of the class"
        case .bundleIdentifier:
            "give the extension the app's identifier, a full stop and a name of its own"
        case .missingKey: "add the key"
        case .wrongType: "give the value the type that the key requires"
        case .invalidValue: "correct the value"
        case .newerSystem: "give the extension the app's deployment target"
        case .interactionDisabled: "set UNNotificationExtensionUserInteractionEnabled to true"
        case .missingContainer: "check the path, or process an attachment into it first"
        case .containerVersion:
            "use the release of Thimble that created the container, or a later one"
        case .unreadableContainer: "check owner and permissions, and verify the container"
        case .missingManifest: "process the attachment under the identifier of the notification"
        case .manifestCategory: "process the attachment again with the category of the payload"
        case .missingRendition: "process the attachment again"
        case .overRenderBudget: "process it with this profile, or raise the render budget"
        case .ratioMismatch: "declare the picture's ratio, or crop the picture to the declared one"
        case .renditionType, .renditionTooLarge: "process the attachment again with Thimble"
        case .missingMediaKey: "name the attachment under a supported key, or give its path"
        case .insecureMedia: "serve it over https"
        case .missingAttachment: "check the path, which is relative to the payload's folder"
        case .pictureFormat, .pictureTooLarge: "process it before delivery"
        case .attachmentType: "send JPEG, PNG, GIF, AIFF, WAV, MP3, M4A, MPEG, MPEG-4 or AVI"
        case .damagedAttachment: "export it again from its source"
        case .mediumTooLarge: "shorten it, or encode it at a lower rate"
        case .fileExtension: "give the file the extension of its type"
        case .customSound: "keep it in the app's bundle or in Library/Sounds, shorter than 30 s"
        case .soundType: "use aiff, wav or caf"
        }
    }
}
