public import AttachmentContainer

/// A fault in a profile or another property list of an app.
///
/// The key is a path from the root, separated by full stops. Errors contain no values of a
/// notification.
public struct ProfileError: FaultConvertible, Sendable, Hashable, Codable {
    /// The kind of fault, stable across releases.
    public let code: Code
    /// The path of the file at fault.
    public let file: String
    /// The key at fault, for example `NSExtension.NSExtensionAttributes`; empty for the whole file.
    public let key: String
    /// The finding, without a full stop.
    public let reason: String
    /// The system's error text, for logs; empty if unavailable.
    public let detail: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of fault.
    ///   - file: The path of the file at fault.
    ///   - key: The key at fault. The default is empty: the whole file.
    ///   - reason: The finding, without a full stop.
    ///   - detail: The system's error text. The default is empty.
    public init(_ code: Code, file: String, key: String = "", reason: String, detail: String = "") {
        self.code = code
        self.file = file
        self.key = key
        self.reason = reason
        self.detail = detail
    }
}

extension ProfileError {
    /// The kinds of fault.
    ///
    /// The raw values appear in JSON reports.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The file is not regular, or not readable by this process.
        case unreadable
        /// The file exceeds the size limit.
        case tooLarge = "too-large"
        /// The bytes violate the format.
        case malformed
        /// The values exceed the limits on depth or number.
        case tooComplex = "too-complex"
        /// A required key is missing.
        case missingKey = "missing-key"
        /// A value has the wrong type for its key.
        case wrongType = "wrong-type"
        /// A value is outside its range.
        case invalidValue = "invalid-value"
        /// The file belongs to an extension of another kind.
        case wrongExtensionPoint = "wrong-extension-point"
        /// A category is declared twice.
        case duplicateCategory = "duplicate-category"
    }
}

extension ProfileError.Code: FaultCode {
    package static let domain = Fault.Domain.profile

    /// The action to take, without a full stop.
    public var remedy: String {
        switch self {
        case .unreadable: "check the path, and that this process may read the file"
        case .tooLarge: "give the extension's Info.plist, or a file of its kind"
        case .malformed: "write the file again, as UTF-8; plutil -lint shows the fault"
        case .tooComplex: "remove the parts of the file that no app reads"
        case .missingKey: "add the key"
        case .wrongType: "give the value the type that the key requires"
        case .invalidValue: "correct the value"
        case .wrongExtensionPoint:
            "give the Info.plist of the notification content extension, not of another target"
        case .duplicateCategory: "declare each category in one extension only"
        }
    }
}

extension ProfileError {
    /// The failure without its file and its key.
    public var fault: Fault { code.fault(reason: reason) }

    /// File, key, reason and remedy, in one line.
    public var description: String {
        "\(file): \(key.isEmpty ? "" : "\(key): ")\(reason); \(code.remedy)"
    }

    /// The description with the code and the system's error text, for logs.
    public var detailedDescription: String {
        detail.isEmpty
            ? "[\(code.rawValue)] \(description)" : "[\(code.rawValue)] \(description) (\(detail))"
    }
}
