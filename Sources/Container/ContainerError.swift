public import ThimbleBasics

/// A failure to open, read or write the shared container.
///
/// Notification identifiers are private, so no error carries one: a path names a notification by
/// its key, which is a digest.
public struct ContainerError: FaultConvertible, Sendable, Hashable {
    /// The kind of failure, stable across releases.
    public let code: Code
    /// The path of the file or folder at fault.
    public let path: String
    /// The failure without its path.
    public let fault: Fault
    /// The failing system call or the coding path of the faulty JSON value, for logs; may be empty.
    public let detail: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - path: The path of the file or folder.
    ///   - reason: The finding, without a full stop.
    ///   - remedy: The action that cures this failure, without a full stop. The default is nil: the
    ///     kind's remedy.
    ///   - detail: The failing system call or coding path. The default is empty.
    public init(
        _ code: Code, path: String, reason: String, remedy: String? = nil, detail: String = ""
    ) {
        self.code = code
        self.path = path
        self.detail = detail
        fault = code.fault(reason: reason, remedy: remedy)
    }

    /// The finding, without a full stop.
    public var reason: String { fault.reason }
}

extension ContainerError {
    /// The kinds of failure, whose raw values appear in JSON reports.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The path has no container.
        case missing
        /// The process belongs to no App Group of that name.
        case wrongGroup = "wrong-group"
        case notAFolder = "not-a-folder"
        /// The system denies write access.
        case notWritable = "not-writable"
        /// The system denies read access.
        case unreadable
        /// The major format version is unknown to this release.
        case unknownVersion = "unknown-version"
        /// The bytes do not follow the format.
        case corrupt
        /// The manifest is sealed, and this process has no key.
        case sealed
        /// The manifest is sealed with another key than the present one.
        case otherKey = "other-key"
        /// The key that seals pictures cannot be read.
        case keyUnavailable = "key-unavailable"
        /// The manifest's identifier does not match its file name.
        case wrongKey = "wrong-key"
        case missingRendition = "missing-rendition"
        /// The manifest to publish cannot be encoded.
        case invalidManifest = "invalid-manifest"
        /// The file to copy became shorter meanwhile.
        case sourceChanged = "source-changed"
        /// The volume or its quota is full.
        case full
        /// Any other failure of the system; the detail names it.
        case system
    }
}

extension ContainerError.Code: FaultCode {
    package static let domain = Fault.Domain.container

    /// A remedy for the caller, without a full stop.
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
        case .sealed: "open the container with the key of the app, by sealing(with:)"
        case .otherKey: "treat the picture as absent; forgetting or pruning removes it"
        case .keyUnavailable:
            "unlock the device once, and name the keychain group in the entitlements of every target"
        case .missingRendition: "add the rendition to the publication first"
        case .invalidManifest: "shorten the identifier and the notes, and use finite numbers"
        case .sourceChanged: "process the attachment again when its file is complete"
        case .full: "free some space"
        case .system: "try again; if it fails again, check the volume"
        }
    }
}

extension ContainerError {
    /// Path, reason and remedy, in one line.
    public var description: String { "\(path): \(fault)" }

    /// The description with the code and the system's own text, for logs.
    public var detailedDescription: String {
        detail.isEmpty
            ? "[\(code.rawValue)] \(description)" : "[\(code.rawValue)] \(description) (\(detail))"
    }
}
