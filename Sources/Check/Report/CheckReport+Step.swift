extension CheckReport {
    /// The steps of a notification to the screen, in the order in which to look at them.
    public enum Step: String, Sendable, Codable, CaseIterable {
        /// Reading the input files.
        case files
        /// Matching the category everywhere.
        case category
        /// Calling the service extension.
        case delivery
        /// Sharing the App Group among all targets.
        case sharing
        /// Finding and loading the extensions.
        case extensions
        /// Showing the container's picture in the content extension.
        case picture
        /// Attaching the file.
        case attachment
    }
}

extension CheckReport.Code {
    /// The step that a finding belongs to.
    public var step: CheckReport.Step {
        switch self {
        case .unreadableFile, .malformedFile, .malformedPayload, .wrongTarget, .unresolvedSetting,
            .unsigned:
            .files
        case .missingCategory, .unknownCategory, .unregisteredCategory, .unregisteredDeclaration,
            .duplicateCategory:
            .category
        case .notMutable, .missingAlert, .payloadTooLarge, .missingPushEntitlement: .delivery
        case .missingAppGroup, .appGroupPrefix, .appGroupMismatch, .missingKeychainGroup:
            .sharing
        case .missingExtension, .extensionPoint, .missingKey, .wrongType, .invalidValue,
            .ignoredKey, .ambiguousEntry, .bundleIdentifier, .newerSystem, .interactionDisabled:
            .extensions
        case .missingContainer, .containerVersion, .unreadableContainer, .missingManifest,
            .manifestCategory, .missingRendition, .overRenderBudget, .ratioMismatch, .renditionType,
            .renditionTooLarge:
            .picture
        case .missingMediaKey, .insecureMedia, .missingAttachment, .pictureFormat, .pictureTooLarge,
            .attachmentType, .damagedAttachment, .mediumTooLarge, .fileExtension, .customSound,
            .soundType:
            .attachment
        }
    }
}
