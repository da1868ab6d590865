extension CheckReport {
    /// The stretches of a notification's way to the screen, in the order in which a person should
    /// look at them.
    public enum Step: String, Sendable, Codable, CaseIterable {
        /// The files that were given can be read.
        case files
        /// The category is the same everywhere.
        case category
        /// The system hands the notification to the service extension.
        case delivery
        /// All targets see the same App Group.
        case sharing
        /// The system finds and loads the extensions.
        case extensions
        /// The picture is in the container, and the content extension can show it.
        case picture
        /// The system takes what is attached.
        case attachment
    }
}

extension CheckReport.Code {
    /// The stretch that it belongs to.
    public var step: CheckReport.Step {
        switch self {
        case .unreadableFile, .malformedFile, .malformedPayload, .wrongTarget, .unresolvedSetting:
            .files
        case .missingCategory, .unknownCategory, .unregisteredCategory, .unregisteredDeclaration,
            .duplicateCategory:
            .category
        case .notMutable, .missingAlert, .payloadTooLarge, .missingPushEntitlement: .delivery
        case .missingAppGroup, .appGroupPrefix, .appGroupMismatch: .sharing
        case .extensionPoint, .missingKey, .wrongType, .invalidValue, .newerSystem,
            .interactionDisabled:
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
