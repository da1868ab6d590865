import AttachmentContainer

/// The reason why the files of a project were not written.
struct ProjectError: FaultConvertible {
    let code: Code
    /// The path of the file or folder.
    let path: String
    let reason: String

    enum Code: String, FaultCode {
        /// A file exists, and replacing files was not requested.
        case exists
        /// A folder has the name of a file, or a file the name of a folder.
        case wrongType = "wrong-type"
        /// The file system has no space left.
        case full
        /// A file or folder cannot be written.
        case unwritable
        /// After a failure, a file could not be put back into its place.
        case notRestored = "not-restored"

        static let domain = Fault.Domain.project

        var remedy: String {
            switch self {
            case .exists: "remove it, write to another folder, or replace it with --force"
            case .wrongType: "move it, or write to another folder"
            case .full: "make room, and run the command again"
            case .unwritable: "check owner and permissions of the folder"
            case .notRestored: "check owner and permissions of its folder, and move it back"
            }
        }
    }

    init(_ code: Code, _ path: String, _ reason: String) {
        (self.code, self.path, self.reason) = (code, path, reason)
    }

    var fault: Fault { code.fault(reason: reason) }

    /// Path, reason and remedy, in one line.
    var description: String { "\(path): \(reason); \(code.remedy)" }
}

extension Fault.Domain {
    /// Writing the files of an app's project, which only the command does.
    fileprivate static let project = Self(rawValue: "project")
}
