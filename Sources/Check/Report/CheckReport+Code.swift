extension CheckReport {
    /// The kinds of finding, in the order in which a person should look at them.
    ///
    /// The raw values appear in JSON reports and are stable across releases.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// A file cannot be opened or read.
        case unreadableFile = "unreadable-file"
        /// A property list violates its format, or exceeds the limits.
        case malformedFile = "malformed-file"
        /// A payload is not JSON, or has an unexpected shape.
        case malformedPayload = "malformed-payload"
        /// A file belongs to another target.
        case wrongTarget = "wrong-target"
        /// A name contains a build setting that only the built product resolves.
        case unresolvedSetting = "unresolved-setting"
        /// A program has no signature that tells its entitlements.
        case unsigned

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

        /// The payload lacks `mutable-content`: 1.
        case notMutable = "not-mutable"
        /// The payload has no alert.
        case missingAlert = "missing-alert"
        /// The payload exceeds the APNs limit.
        case payloadTooLarge = "payload-too-large"
        /// The app may not receive remote notifications.
        case missingPushEntitlement = "missing-push-entitlement"

        /// A target is in no App Group.
        case missingAppGroup = "missing-app-group"
        /// An App Group's name does not begin with `group.`.
        case appGroupPrefix = "app-group-prefix"
        /// A target is not in the App Group of the others.
        case appGroupMismatch = "app-group-mismatch"
        /// A target is not in the keychain group with the key of sealed pictures.
        case missingKeychainGroup = "missing-keychain-group"

        /// The app lacks a notification extension.
        case missingExtension = "missing-extension"
        /// An extension has a missing or wrong extension point.
        case extensionPoint = "extension-point"
        /// A required key is missing from an Info.plist.
        case missingKey = "missing-key"
        /// A value has the wrong type for its key.
        case wrongType = "wrong-type"
        /// A value is outside its range.
        case invalidValue = "invalid-value"
        /// The system ignores a key, which is misspelt, misplaced or unknown.
        case ignoredKey = "ignored-key"
        /// A content extension has both a storyboard and a principal class.
        case ambiguousEntry = "ambiguous-entry"
        /// An extension's bundle identifier does not begin with the app's.
        case bundleIdentifier = "bundle-identifier"
        /// The extension requires a newer system than the app.
        case newerSystem = "newer-system"
        /// The view has controls, but user interaction is disabled.
        case interactionDisabled = "interaction-disabled"

        /// The path has no container.
        case missingContainer = "missing-container"
        /// A later release created the container.
        case containerVersion = "container-version"
        /// The container, or a manifest in it, cannot be read.
        case unreadableContainer = "unreadable-container"
        /// The container lacks the notification.
        case missingManifest = "missing-manifest"
        /// The manifest was published for another category.
        case manifestCategory = "manifest-category"
        /// The manifest's picture is missing or incomplete.
        case missingRendition = "missing-rendition"
        /// The picture exceeds the content extension's render budget.
        case overRenderBudget = "over-render-budget"
        /// The picture's ratio differs from the extension's initial ratio.
        case ratioMismatch = "ratio-mismatch"
        /// The system does not accept a rendition's type.
        case renditionType = "rendition-type"
        /// A rendition exceeds the system's size limit.
        case renditionTooLarge = "rendition-too-large"

        /// The payload has no attachment key.
        case missingMediaKey = "missing-media-key"
        /// An attachment's URL is unencrypted or not downloadable.
        case insecureMedia = "insecure-media"
        /// A local attachment is missing.
        case missingAttachment = "missing-attachment"
        /// A picture's format requires re-encoding.
        case pictureFormat = "picture-format"
        /// A picture exceeds the system's size limit.
        case pictureTooLarge = "picture-too-large"
        /// The system does not accept a file's type.
        case attachmentType = "attachment-type"
        /// A file violates its format.
        case damagedAttachment = "damaged-attachment"
        /// Sound or a movie exceeds the system's size limit.
        case mediumTooLarge = "medium-too-large"
        /// A file's extension does not match its type.
        case fileExtension = "file-extension"
        /// The payload has a custom sound, which must be in the app.
        case customSound = "custom-sound"
        /// Notifications do not play this type of sound.
        case soundType = "sound-type"
    }
}

extension CheckReport.Code {
    /// The default severity of a finding.
    public var severity: CheckReport.Severity {
        switch self {
        case .unresolvedSetting, .unsigned, .customSound: .note
        case .unregisteredDeclaration, .ignoredKey, .manifestCategory,
            .ratioMismatch, .missingMediaKey,
            .pictureFormat, .pictureTooLarge, .fileExtension, .soundType:
            .warning
        default: .error
        }
    }
}
