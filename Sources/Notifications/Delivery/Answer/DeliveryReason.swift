public import AttachmentContainer
public import AttachmentModel

/// A reason for a lesser answer, for programs and for people.
///
/// The texts contain no part of the notification and no file path.
public struct DeliveryReason: FaultConvertible, Sendable, Hashable, Codable {
    /// The failure behind the reason, or the reason itself.
    public let fault: Fault

    /// Creates a reason.
    ///
    /// - Parameters:
    ///   - code: The kind of reason.
    ///   - message: The finding, without a full stop.
    ///   - remedy: The action to take, without a full stop.
    public init(_ code: Code, message: String, remedy: String) {
        self.init(Fault(.delivery, code.rawValue, reason: message, remedy: remedy))
    }

    /// Creates a reason from a failure, whose texts contain no path.
    ///
    /// - Parameter fault: The failure.
    public init(_ fault: Fault) { self.fault = fault }

    /// Creates a reason from a processing error.
    ///
    /// - Parameter error: The processor's error. Its file and detail are omitted.
    public init(_ error: AttachmentError) { self.init(error.fault) }

    /// The kind of reason, stable across releases.
    public var code: Code { Code(fault) }

    /// The finding, without a full stop.
    public var message: String { fault.reason }

    /// The action to take, without a full stop.
    public var remedy: String { fault.remedy }
}

extension DeliveryReason {
    /// The kinds of reason.
    ///
    /// The raw values appear in JSON and include all of `AttachmentError.Code`. Readers should
    /// ignore unknown kinds.
    public struct Code: Sendable, Hashable, Codable, RawRepresentable {
        /// The kind's name.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a kind from a processing error's code.
        public init(_ code: AttachmentError.Code) { rawValue = code.rawValue }

        fileprivate init(_ kind: DeliveryFault) { rawValue = kind.rawValue }

        /// Codes of stores have a prefix, because other domains have codes of the same names.
        fileprivate init(_ fault: Fault) {
            rawValue = (fault.domain == .store ? "publish-" : "") + fault.code
        }
    }
}

extension DeliveryReason.Code {
    /// The notification had no attachment.
    public static let noAttachment = Self(DeliveryFault.noAttachment)
    /// The caller could not obtain the attachment, for example after a failed download.
    public static let unavailable = Self(DeliveryFault.unavailable)
    /// The payload's key for the picture has a value of the wrong type.
    public static let wrongType = Self(DeliveryFault.wrongType)

    /// The path is outside the allowed folders.
    public static let outsideRoots = Self(DeliveryFault.outsideRoots)
    /// The path is inside an allowed folder, but a symbolic link in it leads outside.
    public static let linkLeadsOut = Self(DeliveryFault.linkLeadsOut)
    /// The path has no file.
    public static let missing = Self(DeliveryFault.missing)
    /// The path is a folder.
    public static let isFolder = Self(DeliveryFault.isFolder)
    /// The path is a pipe, a socket or a device.
    public static let notRegular = Self(DeliveryFault.notRegular)
    /// The process may not read the file.
    public static let unreadable = Self(DeliveryFault.unreadable)

    /// The deadline passed.
    public static let deadline = Self(DeliveryFault.deadline)
    /// The system required an immediate answer.
    public static let expired = Self(DeliveryFault.expired)
    /// The caller cancelled the delivery.
    public static let cancelled = Self(DeliveryFault.cancelled)

    /// The memory cap allowed only a smaller picture.
    public static let lowerRung = Self(DeliveryFault.lowerRung)
    /// The container's existing renditions were used.
    public static let earlierRenditions = Self(DeliveryFault.earlierRenditions)
    /// The attachment is sound or a movie, which is attached unchanged.
    public static let passedThrough = Self(DeliveryFault.passedThrough)

    /// The system does not accept attachments of this type.
    public static let typeNotAttachable = Self(DeliveryFault.typeNotAttachable)
    /// The file exceeds the system's limit for its type.
    public static let overTypeLimit = Self(DeliveryFault.overTypeLimit)
    /// The decoded original exceeds the content extension's render budget.
    public static let overRenderBudget = Self(DeliveryFault.overRenderBudget)
    /// The file violates its format, so the system might reject it.
    public static let damaged = Self(DeliveryFault.damaged)
    /// The original is encrypted, and is never stored in the clear.
    public static let encrypted = Self(DeliveryFault.encrypted)
    /// The renditions are sealed, so that only the content extension shows them, and nothing is attached.
    public static let sealed = Self(DeliveryFault.sealed)
    /// The file to attach could not be stored.
    public static let storage = Self(DeliveryFault.storage)
    /// The payload's size limit leaves no room to name the renditions.
    public static let noRoom = Self(DeliveryFault.noRoom)
    /// The renditions have no URL, and the payload has no note that leads to them.
    public static let unpublished = Self(DeliveryFault.unpublished)
}

extension DeliveryReason {
    /// The reason for a payload without room to name its renditions.
    static func noRoom(missing: Int, limit: Int, hasURL: Bool) -> DeliveryReason {
        DeliveryReason(
            .noRoom,
            reason: "the payload needs \(missing) bytes more than the \(limit) allowed to name "
                + "the rendition",
            remedy: "shorten the payload by \(missing) bytes"
                + (hasURL ? ", or publish under a shorter URL" : ""))
    }
}

extension DeliveryReason {
    /// Message and remedy, in one line.
    public var description: String { "\(message); \(remedy)" }
}
