extension CheckReport {
    /// The kinds of finding, in the order in which a person should look at them.
    ///
    /// The raw values appear in JSON reports and are stable across releases.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// A file cannot be opened or read.
        case unreadableFile = "unreadable-file"
        /// A property list breaks the rules of its format, or is beyond all bounds.
        case malformedFile = "malformed-file"
        /// A payload is no JSON, or has not the shape of one.
        case malformedPayload = "malformed-payload"
        /// The file of another target was given.
        case wrongTarget = "wrong-target"
        /// A name holds a build setting that only the built product fills in.
        case unresolvedSetting = "unresolved-setting"

        /// The payload has no category.
        case missingCategory = "missing-category"
        /// No content extension declares the payload's category.
        case unknownCategory = "unknown-category"
        /// The app does not register the payload's category.
        case unregisteredCategory = "unregistered-category"
        /// The app does not register a category that a content extension declares.
        case unregisteredDeclaration = "unregistered-declaration"
        /// Two declarations name the same category.
        case duplicateCategory = "duplicate-category"

        /// The payload does not say `mutable-content`: 1.
        case notMutable = "not-mutable"
        /// The payload shows nothing.
        case missingAlert = "missing-alert"
        /// The payload is longer than APNs takes.
        case payloadTooLarge = "payload-too-large"
        /// The app may not receive remote notifications.
        case missingPushEntitlement = "missing-push-entitlement"

        /// A target is in no App Group.
        case missingAppGroup = "missing-app-group"
        /// An App Group's name does not begin with `group.`.
        case appGroupPrefix = "app-group-prefix"
        /// A target is not in the App Group of the others.
        case appGroupMismatch = "app-group-mismatch"

        /// An extension does not say what it extends, or something else than its target must.
        case extensionPoint = "extension-point"
        /// A key that an Info.plist must have is not there.
        case missingKey = "missing-key"
        /// A value is of another type than its key asks for.
        case wrongType = "wrong-type"
        /// A value is outside its range.
        case invalidValue = "invalid-value"
        /// The extension needs a newer system than the app.
        case newerSystem = "newer-system"
        /// There are controls, and the system does not pass touches on.
        case interactionDisabled = "interaction-disabled"

        /// There is no container at the path.
        case missingContainer = "missing-container"
        /// The container was made by a later release.
        case containerVersion = "container-version"
        /// The container, or a manifest in it, cannot be read.
        case unreadableContainer = "unreadable-container"
        /// The container does not have the notification.
        case missingManifest = "missing-manifest"
        /// The manifest was published for another category.
        case manifestCategory = "manifest-category"
        /// The manifest names a picture that is not there whole, or no whole picture.
        case missingRendition = "missing-rendition"
        /// The picture takes more than the content extension may spend.
        case overRenderBudget = "over-render-budget"
        /// The picture has another ratio than the extension's view begins with.
        case ratioMismatch = "ratio-mismatch"
        /// A rendition is of a type that the system does not take.
        case renditionType = "rendition-type"
        /// A rendition is longer than the system takes.
        case renditionTooLarge = "rendition-too-large"

        /// No key of the payload names an attachment.
        case missingMediaKey = "missing-media-key"
        /// An attachment is fetched in the clear, or by no protocol that downloads.
        case insecureMedia = "insecure-media"
        /// A local attachment is not there.
        case missingAttachment = "missing-attachment"
        /// A picture is of a format that must be encoded anew.
        case pictureFormat = "picture-format"
        /// A picture is longer than the system takes.
        case pictureTooLarge = "picture-too-large"
        /// A file is of no type that the system takes.
        case attachmentType = "attachment-type"
        /// A file breaks the rules of its format.
        case damagedAttachment = "damaged-attachment"
        /// Sound or a movie is longer than the system takes.
        case mediumTooLarge = "medium-too-large"
        /// A file's extension does not tell its type.
        case fileExtension = "file-extension"
        /// A sound of the app's own, which must be in it.
        case customSound = "custom-sound"
        /// A sound of a type that notifications do not play.
        case soundType = "sound-type"
    }
}

extension CheckReport.Code {
    /// How much a finding of this kind matters, where nothing else is known.
    public var severity: CheckReport.Severity {
        switch self {
        case .unresolvedSetting, .customSound: .note
        case .unregisteredDeclaration, .manifestCategory, .ratioMismatch, .missingMediaKey,
            .pictureFormat, .pictureTooLarge, .fileExtension, .soundType:
            .warning
        default: .error
        }
    }
}
