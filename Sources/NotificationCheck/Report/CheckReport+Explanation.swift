extension CheckReport.Code {
    /// Why a finding of this kind matters, in a sentence without its full stop.
    public var consequence: String {
        switch self {
        case .unreadableFile, .malformedFile, .malformedPayload:
            "nothing that stands in it can be checked, and the system does not read it either"
        case .wrongTarget: "what it declares is another target's, so the system looks elsewhere"
        case .unresolvedSetting:
            "what the product will hold is not known, so the name was not compared"
        case .missingCategory:
            "the system then shows its own interface and calls no content extension"
        case .unknownCategory, .unregisteredCategory, .unregisteredDeclaration:
            "names are compared to the letter, and without a match the custom interface silently "
                + "does not appear"
        case .duplicateCategory: "which of the two the system chooses is not documented"
        case .notMutable, .missingAlert:
            "the system does not call the service extension, so no picture is attached"
        case .payloadTooLarge: "APNs refuses it, so nothing is delivered"
        case .missingPushEntitlement:
            "the app gets no device token, so no notification reaches it"
        case .missingAppGroup, .appGroupPrefix, .appGroupMismatch:
            "the system gives the target no shared folder, or another one, so what the service "
                + "extension publishes is not seen"
        case .extensionPoint: "the system does not load the extension for notifications"
        case .missingKey, .wrongType, .invalidValue:
            "the system cannot load the extension as it is meant, and shows its own interface"
        case .newerSystem:
            "on systems between the two the app runs and the extension is silently not called"
        case .interactionDisabled: "a touch in the interface opens the app, whatever it meets"
        case .missingContainer, .containerVersion, .unreadableContainer, .missingManifest,
            .missingRendition:
            "the content extension has the placeholder at most to show"
        case .manifestCategory: "the picture was shaped for another content extension"
        case .overRenderBudget:
            "decoding it can take the content extension over its limit of memory, and the system "
                + "kills it without a word"
        case .ratioMismatch:
            "the view changes its height after it has appeared, or shows the picture with bars"
        case .renditionType, .renditionTooLarge, .attachmentType, .mediumTooLarge,
            .missingAttachment, .damagedAttachment:
            "the system refuses the attachment, and the notification comes without it"
        case .missingMediaKey: "there is nothing for the service extension to fetch"
        case .insecureMedia: "the system refuses the download, so no picture is attached"
        case .pictureFormat, .pictureTooLarge:
            "the system refuses it as it is, and takes only what is made of it"
        case .fileExtension: "the system takes the type from the extension, and refuses it"
        case .customSound: "where the file is not found the system plays its own sound"
        case .soundType: "the system plays its own sound in its place"
        }
    }

    /// Where the consequence is documented: the title of a page of Apple's, or what else is known.
    public var source: String {
        switch self {
        case .unreadableFile, .malformedFile, .wrongTarget, .unresolvedSetting:
            "Apple, Information Property List"
        case .malformedPayload, .payloadTooLarge: "Apple, Generating a remote notification"
        case .missingCategory, .unknownCategory, .unregisteredCategory, .unregisteredDeclaration:
            "Apple, Declaring your actionable notification types"
        case .duplicateCategory, .extensionPoint, .missingKey, .wrongType, .invalidValue,
            .interactionDisabled:
            "Apple, UNNotificationContentExtension; UNNotificationServiceExtension"
        case .notMutable, .missingAlert, .missingMediaKey: "Apple, UNNotificationServiceExtension"
        case .missingPushEntitlement: "Apple, APS Environment Entitlement"
        case .missingAppGroup, .appGroupPrefix, .appGroupMismatch:
            "Apple, Configuring app groups"
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

    /// How to mend it, in a sentence without its full stop.
    public var remedy: String {
        switch self {
        case .unreadableFile: "check the path, and that this process may read the file"
        case .malformedFile: "write the file again: plutil -lint says where it breaks"
        case .malformedPayload: "check the payload with a JSON validator"
        case .wrongTarget: "give the file of the target that the flag names"
        case .unresolvedSetting: "give the file out of the built product"
        case .missingCategory: "set aps.category to a category that a content extension declares"
        case .unknownCategory:
            "use the same category in aps.category and in UNNotificationExtensionCategory"
        case .unregisteredCategory, .unregisteredDeclaration:
            "register it with setNotificationCategories(_:) when the app starts"
        case .duplicateCategory: "leave each category to one extension"
        case .notMutable: "set aps.mutable-content to the number 1"
        case .missingAlert: "give aps.alert a title or a body"
        case .payloadTooLarge: "shorten texts and keys, or have the app fetch what is long"
        case .missingPushEntitlement: "add the capability Push Notifications to the app's target"
        case .missingAppGroup: "add the capability App Groups to the target, with the same group"
        case .appGroupPrefix: "begin the name with group. in every target and in the code"
        case .appGroupMismatch: "give every target the same group, to the letter"
        case .extensionPoint:
            "set NSExtensionPointIdentifier to the value that the target must have"
        case .missingKey: "add the key"
        case .wrongType: "give the value the type that the key asks for"
        case .invalidValue: "correct the value"
        case .newerSystem: "give the extension the app's deployment target"
        case .interactionDisabled:
            "set UNNotificationExtensionUserInteractionEnabled to true"
        case .missingContainer: "check the path, or process an attachment into it first"
        case .containerVersion: "use the release of Thimble that made the container, or a later one"
        case .unreadableContainer:
            "check owner and permissions, and run thimble container verify"
        case .missingManifest: "process the attachment under the identifier of the notification"
        case .manifestCategory: "process the attachment again with the category of the payload"
        case .missingRendition: "process the attachment again"
        case .overRenderBudget: "process it with this profile, or raise --render-budget"
        case .ratioMismatch:
            "declare the picture's ratio, or process it with --fitting crop"
        case .renditionType, .renditionTooLarge: "process the attachment again with Thimble"
        case .missingMediaKey: "name the attachment by one of the keys, or say where it is"
        case .insecureMedia: "serve it over https"
        case .missingAttachment: "check the path, which begins in the payload's folder"
        case .pictureFormat, .pictureTooLarge: "have it processed before delivery"
        case .attachmentType: "send JPEG, PNG, GIF, AIFF, WAV, MP3, M4A, MPEG, MPEG-4 or AVI"
        case .damagedAttachment: "export it again from its source"
        case .mediumTooLarge: "shorten it, or encode it at a lower rate"
        case .fileExtension: "give the file the extension of its type"
        case .customSound: "keep it in the app's bundle or in Library/Sounds, shorter than 30 s"
        case .soundType: "use aiff, wav or caf"
        }
    }
}
