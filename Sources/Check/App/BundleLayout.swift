/// The folders of a bundle (Apple, Bundle Programming Guide).
struct BundleLayout {
    /// The folder with the Info.plist.
    let contents: String
    /// The folder with the program.
    let programs: String
    let provisioningProfile: String

    /// Detects the layout of a bundle: only macOS has a folder `Contents`.
    init(of folder: String, in files: any AppFiles) throws(AppError) {
        let isDeep = try files.children(of: folder).contains("Contents")
        contents = isDeep ? folder.appending("Contents") : folder
        programs = isDeep ? contents.appending("MacOS") : contents
        provisioningProfile = contents.appending(
            isDeep ? "embedded.provisionprofile" : "embedded.mobileprovision")
    }

    func file(_ name: String) -> String { contents.appending(name) }
}

extension String {
    /// The path of a child; a child of the empty path is its name.
    func appending(_ name: String) -> String { isEmpty ? name : "\(self)/\(name)" }
}
