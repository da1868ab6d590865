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

        /// Codes of stores have a prefix, because other domains have codes of the same names.
        fileprivate init(_ fault: Fault) {
            rawValue = (fault.domain == .store ? "publish-" : "") + fault.code
        }
    }
}

extension DeliveryReason.Code {
    /// The notification had no attachment.
    public static let noAttachment = Self(rawValue: "no-attachment")
    /// The caller could not obtain the attachment, for example after a failed download.
    public static let unavailable = Self(rawValue: "unavailable")

    /// The path is outside the allowed folders.
    public static let outsideRoots = Self(rawValue: "outside-roots")
    /// The path is inside an allowed folder, but a symbolic link in it leads outside.
    public static let linkLeadsOut = Self(rawValue: "link-leads-out")
    /// The path has no file.
    public static let missing = Self(rawValue: "missing")
    /// The path is a folder.
    public static let isFolder = Self(rawValue: "is-folder")
    /// The path is a pipe, a socket or a device.
    public static let notRegular = Self(rawValue: "not-regular")
    /// The process may not read the file.
    public static let unreadable = Self(rawValue: "unreadable")

    /// The deadline passed.
    public static let deadline = Self(rawValue: "deadline")
    /// The system required an immediate answer.
    public static let expired = Self(rawValue: "expired")
    /// The caller cancelled the delivery.
    public static let cancelled = Self(rawValue: "cancelled")

    /// The memory cap allowed only a smaller picture.
    public static let lowerRung = Self(rawValue: "lower-rung")
    /// The container's existing renditions were used.
    public static let earlierRenditions = Self(rawValue: "earlier-renditions")
    /// The attachment is sound or a movie, which is attached unchanged.
    public static let passedThrough = Self(rawValue: "passed-through")

    /// The system does not accept attachments of this type.
    public static let typeNotAttachable = Self(rawValue: "type-not-attachable")
    /// The file exceeds the system's limit for its type.
    public static let overTypeLimit = Self(rawValue: "over-type-limit")
    /// The decoded original exceeds the content extension's render budget.
    public static let overRenderBudget = Self(rawValue: "over-render-budget")
    /// The file violates its format, so the system might reject it.
    public static let damaged = Self(rawValue: "damaged")
    /// The file to attach could not be stored.
    public static let storage = Self(rawValue: "storage")
    /// The payload's size limit leaves no room to name the renditions.
    public static let noRoom = Self(rawValue: "no-room")
    /// The renditions have no URL, and the payload has no note that leads to them.
    public static let unpublished = Self(rawValue: "unpublished")
}

extension DeliveryReason {
    /// The reason for a payload without room to name its renditions.
    static func noRoom(missing: Int, limit: Int, hasURL: Bool) -> DeliveryReason {
        DeliveryReason(
            .noRoom,
            message: "the payload needs \(missing) bytes more than the \(limit) allowed to name "
                + "the rendition",
            remedy: "shorten the payload by \(missing) bytes"
                + (hasURL ? ", or publish under a shorter URL" : ""))
    }
}

extension DeliveryReason {
    /// Message and remedy, in one line.
    public var description: String { "\(message); \(remedy)" }
}
