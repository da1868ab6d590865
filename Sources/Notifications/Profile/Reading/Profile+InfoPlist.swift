public import Foundation

extension Profile {
    /// Reads the Info.plist of a notification content extension, in XML or binary.
    ///
    /// - Parameters:
    ///   - path: The path of the file, at most 1 MiB.
    ///   - options: The display settings. The default is `DisplayOptions()`.
    /// - Throws: ``ProfileError`` naming the file, the first key at fault, and the reason.
    public init(
        infoPlist path: String, options: DisplayOptions = DisplayOptions()
    ) throws(ProfileError) {
        try self.init(try PropertyListFile(path: path), options)
    }

    /// Reads the bytes of an Info.plist, for example from an archive.
    ///
    /// - Parameters:
    ///   - data: The bytes, at most 1 MiB.
    ///   - source: The name in messages.
    ///   - options: The display settings. The default is `DisplayOptions()`.
    /// - Throws: ``ProfileError`` naming the source, the first key at fault, and the reason.
    public init(
        infoPlist data: Data, source: String, options: DisplayOptions = DisplayOptions()
    ) throws(ProfileError) {
        try self.init(try PropertyListFile(data, path: source), options)
    }

    private init(_ file: PropertyListFile, _ options: DisplayOptions) throws(ProfileError) {
        try options.validate()
        var reader = DeclarationReader(file)
        guard let profile = reader.profile(with: options) else {
            throw reader.faults.first
                ?? ProfileError(.malformed, file: file.path, reason: "it declares nothing")
        }
        self = profile
    }
}
