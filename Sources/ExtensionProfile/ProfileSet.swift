/// The profiles of all content extensions of an app, of which the notification's category picks one.
public struct ProfileSet: Sendable, Hashable {
    /// The profiles, in the order in which they were given.
    public let profiles: [Profile]

    /// Takes profiles together.
    ///
    /// - Parameter profiles: The profiles.
    /// - Throws: ``ProfileError`` with code `duplicateCategory` when two of them declare the same
    ///   category: which extension the system would choose is not documented.
    public init(_ profiles: [Profile]) throws(ProfileError) {
        self.profiles = profiles
        let declarations = profiles.map { (source: $0.source, categories: $0.categories) }
        guard let duplicate = Self.duplicates(in: declarations).first else { return }
        throw duplicate
    }

    /// Reads the Info.plist of every content extension.
    ///
    /// - Parameters:
    ///   - paths: The paths of the files.
    ///   - options: What all of them have to show a picture with. The default is every default.
    /// - Throws: ``ProfileError`` when one cannot be read, or two declare the same category.
    public init(
        infoPlists paths: [String], options: DisplayOptions = DisplayOptions()
    ) throws(ProfileError) {
        var profiles: [Profile] = []
        for path in paths { profiles.append(try Profile(infoPlist: path, options: options)) }
        try self.init(profiles)
    }

    /// Picks the profile of a notification.
    ///
    /// Categories are equal when every byte of them is, as for the system: neither case nor
    /// equivalent spellings of a character are overlooked.
    ///
    /// - Parameter category: The notification's category; nil or empty when it has none.
    /// - Returns: The profile, or why there is none. Nothing is guessed.
    public func match(_ category: String?) -> ProfileMatch {
        guard let category, !category.isEmpty else { return .noCategory }
        let match = profiles.first { profile in
            profile.categories.contains { $0.isIdentical(to: category) }
        }
        if let match { return .profile(match) }
        return .unknownCategory(
            NearMiss.nearest(to: category, among: profiles.flatMap(\.categories)))
    }

    /// The categories that more than one file declares.
    ///
    /// - Parameter declarations: The files, and the categories in each of them.
    /// - Returns: An error for every declaration but the first of a category.
    package static func duplicates(
        in declarations: [(source: String, categories: [String])]
    ) -> [ProfileError] {
        var owners: [[UInt8]: String] = [:]
        var duplicates: [ProfileError] = []
        for (source, categories) in declarations {
            for category in categories {
                guard let owner = owners[Array(category.utf8)] else {
                    owners[Array(category.utf8)] = source
                    continue
                }
                duplicates.append(
                    ProfileError(
                        .duplicateCategory, file: source, key: DeclarationKey.category.path,
                        reason: "\(category.quoted) is declared by \(owner) as well"))
            }
        }
        return duplicates
    }
}

/// What profile a notification's category picks.
public enum ProfileMatch: Sendable, Hashable {
    /// The one whose extension shows the notification.
    case profile(Profile)
    /// None: the notification has no category, so the system shows it in its own interface.
    case noCategory
    /// None: no extension declares the category. The declared one that was perhaps meant, if any.
    case unknownCategory(NearMiss?)
}

extension ProfileMatch: CustomStringConvertible {
    /// What was found, in a sentence without its full stop; it quotes what is declared, never the
    /// notification.
    public var description: String {
        switch self {
        case .profile(let profile): "the profile is \(profile.source)"
        case .noCategory: "the notification has no category, so no content extension shows it"
        case .unknownCategory(let nearMiss):
            "no content extension declares the notification's category"
                + (nearMiss.map { "; \($0)" } ?? "")
        }
    }
}
