public import AttachmentIntake

/// Why a notification did not get a better picture, for a machine and for a person.
///
/// Neither text carries anything of the notification, nor the path of a file.
public struct DeliveryReason: Error, Sendable, Hashable, Codable {
    /// What kind of reason it is, stable across releases.
    public let code: Code
    /// What was found, in a sentence without its full stop.
    public let message: String
    /// What can be done about it, in a sentence without its full stop.
    public let remedy: String

    /// States a reason.
    ///
    /// - Parameters:
    ///   - code: What kind of reason it is.
    ///   - message: What was found, in a sentence without its full stop.
    ///   - remedy: What can be done about it, in a sentence without its full stop.
    public init(_ code: Code, message: String, remedy: String) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// Takes over why an attachment could not be turned into renditions.
    ///
    /// - Parameter error: What the processor threw. Its file and detail are left out.
    public init(_ error: AttachmentError) {
        self.init(Code(error.code), message: error.reason, remedy: error.code.remedy)
    }
}

extension DeliveryReason {
    /// The kinds of reason.
    ///
    /// The raw values appear in JSON. Those of `AttachmentError.Code` are among them. A reader passes
    /// over kinds that it does not know.
    public struct Code: Sendable, Hashable, Codable, RawRepresentable {
        /// The kind's name.
        public let rawValue: String

        /// Makes a kind from its name.
        ///
        /// - Parameter rawValue: The kind's name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Takes over a kind of a processor's failures.
        ///
        /// - Parameter code: The kind.
        public init(_ code: AttachmentError.Code) { rawValue = code.rawValue }
    }
}

extension DeliveryReason.Code {
    /// The notification came without an attachment.
    public static let noAttachment = Self(rawValue: "no-attachment")
    /// The caller could not get the attachment, for example because the download failed.
    public static let unavailable = Self(rawValue: "unavailable")

    /// The path leads out of the folders that attachments may come from.
    public static let outsideRoots = Self(rawValue: "outside-roots")
    /// The path is in such a folder, and a symbolic link in it leads out.
    public static let linkLeadsOut = Self(rawValue: "link-leads-out")
    /// There is nothing at the path.
    public static let missing = Self(rawValue: "missing")
    /// The path is a folder.
    public static let isFolder = Self(rawValue: "is-folder")
    /// The path is a pipe, a socket or a device.
    public static let notRegular = Self(rawValue: "not-regular")
    /// The system does not let the file be read.
    public static let unreadable = Self(rawValue: "unreadable")

    /// The moment by which an answer was due came first.
    public static let deadline = Self(rawValue: "deadline")
    /// The system asked for the answer at once.
    public static let expired = Self(rawValue: "expired")
    /// The caller withdrew the notification's attachment.
    public static let cancelled = Self(rawValue: "cancelled")

    /// The memory cap left room only for a smaller picture.
    public static let lowerRung = Self(rawValue: "lower-rung")
    /// What the container held of before was taken.
    public static let earlierRenditions = Self(rawValue: "earlier-renditions")
    /// It is sound or a movie, which is attached as it is.
    public static let passedThrough = Self(rawValue: "passed-through")

    /// The system does not take files of this kind as attachments.
    public static let typeNotAttachable = Self(rawValue: "type-not-attachable")
    /// The file is longer than the system takes of its kind.
    public static let overTypeLimit = Self(rawValue: "over-type-limit")
    /// Decoded, the original takes more than the content extension may spend.
    public static let overRenderBudget = Self(rawValue: "over-render-budget")
    /// The bytes break the rules of their format, so that the system might refuse them.
    public static let damaged = Self(rawValue: "damaged")
    /// There was no room for the file that is to be attached.
    public static let storage = Self(rawValue: "storage")
}

extension DeliveryReason: CustomStringConvertible {
    /// Message and remedy, in one line for a person.
    public var description: String { "\(message); \(remedy)" }
}
