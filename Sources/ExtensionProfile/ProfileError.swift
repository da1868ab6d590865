/// Why a profile, or another property list of an app, could not be read.
///
/// The keys are those of the file, in the order in which they nest, with full stops between them. No
/// value of a notification is in it.
public struct ProfileError: Error, Sendable, Hashable, Codable {
    /// What kind of fault it is, stable across releases.
    public let code: Code
    /// The path of the file at fault.
    public let file: String
    /// The key at fault, for example `NSExtension.NSExtensionAttributes`; empty when it is the whole
    /// file.
    public let key: String
    /// What was found, in a sentence without its full stop.
    public let reason: String
    /// The system's own text, for logs; empty when there is none.
    public let detail: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What kind of fault it is.
    ///   - file: The path of the file at fault.
    ///   - key: The key at fault. The default is empty: the whole file.
    ///   - reason: What was found, in a sentence without its full stop.
    ///   - detail: The system's own text. The default is empty.
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
        /// There is no regular file that this process may read.
        case unreadable
        /// The file is longer than any property list of an app.
        case tooLarge = "too-large"
        /// The bytes are not of the format.
        case malformed
        /// The values nest too deep, or are too many.
        case tooComplex = "too-complex"
        /// A key that must be there is not.
        case missingKey = "missing-key"
        /// A value is of another type than its key asks for.
        case wrongType = "wrong-type"
        /// A value is outside its range.
        case invalidValue = "invalid-value"
        /// The file describes an extension of another kind.
        case wrongExtensionPoint = "wrong-extension-point"
        /// A category is declared twice.
        case duplicateCategory = "duplicate-category"
    }
}

extension ProfileError.Code {
    /// What the caller can do about it, in a sentence without its full stop.
    public var remedy: String {
        switch self {
        case .unreadable: "check the path, and that this process may read the file"
        case .tooLarge: "give the extension's Info.plist, or a file of its kind"
        case .malformed: "write the file again, as UTF-8: plutil -lint says where it breaks"
        case .tooComplex: "remove what no app reads from the file"
        case .missingKey: "add the key"
        case .wrongType: "give the value the type that the key asks for"
        case .invalidValue: "correct the value"
        case .wrongExtensionPoint:
            "give the Info.plist of the notification content extension, not of another target"
        case .duplicateCategory: "leave each category to one extension"
        }
    }
}

extension ProfileError: CustomStringConvertible {
    /// File, key, reason and remedy, in one line for a person.
    public var description: String {
        "\(file): \(key.isEmpty ? "" : "\(key): ")\(reason); \(code.remedy)"
    }

    /// The same with the code and the system's own text, for a log.
    public var detailedDescription: String {
        detail.isEmpty
            ? "[\(code.rawValue)] \(description)" : "[\(code.rawValue)] \(description) (\(detail))"
    }
}
