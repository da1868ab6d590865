/// A fault in an app, its archive, a program in it, or a folder of sources.
struct AppError: Error, Sendable, Hashable {
    let code: Code
    /// The path of the file at fault; of a member, the archive's path and the member's name.
    let file: String
    /// The finding, without a full stop.
    let reason: String

    init(_ code: Code, file: String, _ reason: String) {
        self.code = code
        self.file = file
        self.reason = reason
    }

    enum Code: Sendable, Hashable {
        /// The file is not regular, missing, or not readable by this process.
        case unreadable
        /// The path has no app, or several.
        case notAnApp
        /// The bytes violate the ZIP format.
        case malformedArchive
        /// A member's name, or a link, leads out of the app.
        case unsafeName
        /// A size or a number exceeds its limit.
        case tooLarge
        /// The format has a feature that this reader does not support.
        case unsupported
        /// The bytes violate the Mach-O format.
        case malformedProgram
        /// The code signature violates its format.
        case malformedSignature
        /// The provisioning profile has no property list.
        case malformedProfile
    }
}

extension AppError.Code {
    /// The action to take, without a full stop.
    var remedy: String {
        switch self {
        case .unreadable: "check the path, and that this process may read the file"
        case .notAnApp: "give an .app, an .xcarchive or an .ipa that contains one app"
        case .malformedArchive: "export the archive again, or copy it again completely"
        case .unsafeName: "export the archive again; do not install this one"
        case .tooLarge: "give the .app alone, without unrelated files"
        case .unsupported: "export it again with Xcode, or give the .app"
        case .malformedProgram: "build the app again, or copy it again completely"
        case .malformedSignature: "sign the app again"
        case .malformedProfile: "download the provisioning profile again, and sign the app with it"
        }
    }
}

extension CheckReport.Finding {
    init(_ error: AppError) {
        let isUnreadable = error.code == .unreadable || error.code == .notAnApp
        self.init(
            isUnreadable ? .unreadableFile : .malformedFile, error.reason,
            at: CheckReport.Place(error.file), remedy: error.code.remedy)
    }
}
