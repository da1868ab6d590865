/// Why the shared container could not be opened, read or written.
///
/// Notification identifiers are private, so no error carries one: a path names a notification by
/// its key, which is a digest.
public struct ContainerError: Error, Sendable, Hashable {
    /// What kind of failure it is, stable across releases.
    public let code: Code
    /// The path of the file or folder at fault.
    public let path: String
    /// What was found, in a sentence without its full stop.
    public let reason: String
    /// The failing system call with the system's text, or where in the JSON the fault lies; for
    /// logs, and empty when there is nothing to add.
    public let detail: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What kind of failure it is.
    ///   - path: The path of the file or folder at fault.
    ///   - reason: What was found, in a sentence without its full stop.
    ///   - detail: The system's own text. The default is empty.
    public init(_ code: Code, path: String, reason: String, detail: String = "") {
        self.code = code
        self.path = path
        self.reason = reason
        self.detail = detail
    }
}

extension ContainerError {
    /// The kinds of failure.
    ///
    /// The raw values appear in JSON reports.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// There is no container at the path.
        case missing
        /// This process belongs to no App Group of that name.
        case wrongGroup = "wrong-group"
        /// The path, or a part of it, is a file.
        case notAFolder = "not-a-folder"
        /// The system does not let this process write.
        case notWritable = "not-writable"
        /// The system does not let this process read.
        case unreadable
        /// The major version is not one that this release knows.
        case unknownVersion = "unknown-version"
        /// The bytes are not what the format says.
        case corrupt
        /// The manifest belongs to another notification than its key says.
        case wrongKey = "wrong-key"
        /// The manifest that was to be published names a rendition that is not there.
        case missingRendition = "missing-rendition"
        /// The manifest that was to be published cannot be written down.
        case invalidManifest = "invalid-manifest"
        /// The volume, or the quota on it, is used up.
        case full
        /// The system failed in another way; the detail says which.
        case system
    }
}

extension ContainerError.Code {
    /// What the caller can do about it, in a sentence without its full stop.
    public var remedy: String {
        switch self {
        case .missing: "check the path, or process an attachment into it first"
        case .wrongGroup:
            "write the App Group's name as in the entitlements of the app and of both extensions"
        case .notAFolder: "give the path of a folder"
        case .notWritable:
            "check the folder's owner and permissions, and that its volume may be written"
        case .unreadable:
            "check owner and permissions, and that the device was unlocked since it started"
        case .unknownVersion: "update this program, or use another container"
        case .corrupt, .wrongKey: "process the attachment again, or remove the file"
        case .missingRendition: "add the rendition to the publication first"
        case .invalidManifest: "shorten the identifier and the notes, and use finite numbers"
        case .full: "free some space"
        case .system: "try again; if it stays, check the volume"
        }
    }
}

extension ContainerError: CustomStringConvertible {
    /// Path, reason and remedy, in one line for a person.
    public var description: String { "\(path): \(reason); \(code.remedy)" }

    /// The same with the code and the system's own text, for a log.
    public var detailedDescription: String {
        detail.isEmpty
            ? "[\(code.rawValue)] \(description)" : "[\(code.rawValue)] \(description) (\(detail))"
    }
}
