/// The profiles of all content extensions of an app, for selection by category.
public struct ProfileSet: Sendable, Hashable {
    /// The profiles, in the order given.
    public let profiles: [Profile]

    /// Creates an empty set.
    public init() { profiles = [] }

    /// Creates a set of profiles.
    ///
    /// - Parameter profiles: The profiles.
    /// - Throws: ``ProfileError`` with code `duplicateCategory` if two of them declare the same
    ///   category: the system's choice between them is undocumented.
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
    ///   - options: The display settings of all extensions. The default is `DisplayOptions()`.
    /// - Throws: ``ProfileError`` if a file is invalid, or two declare the same category.
    public init(
        infoPlists paths: [String], options: DisplayOptions = DisplayOptions()
    ) throws(ProfileError) {
        var profiles: [Profile] = []
        for path in paths { profiles.append(try Profile(infoPlist: path, options: options)) }
        try self.init(profiles)
    }

    /// Selects the profile of a notification.
    ///
    /// The comparison is byte for byte, as in the system, without case folding or Unicode equivalence.
    ///
    /// - Parameter category: The notification's category; nil or empty without one.
    /// - Returns: The profile, or the reason for its absence.
    public func match(_ category: String?) -> ProfileMatch {
        guard let category, !category.isEmpty else { return .noCategory }
        let match = profiles.first { profile in
            profile.categories.contains { $0.isIdentical(to: category) }
        }
        if let match { return .profile(match) }
        return .unknownCategory(
            NearMiss.nearest(to: category, among: profiles.flatMap(\.categories)))
    }

    /// The categories in more than one file: an error for each declaration after the first.
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
                        reason: "\(category.quoted) is also declared by \(owner)"))
            }
        }
        return duplicates
    }
}

/// The result of selecting a profile by category.
public enum ProfileMatch: Sendable, Hashable {
    /// The profile of the extension that shows the notification.
    case profile(Profile)
    /// The notification has no category, so the system shows its own interface.
    case noCategory
    /// No extension declares the category; with the most similar declared one, if any.
    case unknownCategory(NearMiss?)
}

extension ProfileMatch: CustomStringConvertible {
    /// The result, without a full stop; it quotes declarations, never the notification.
    public var description: String {
        switch self {
        case .profile(let profile): "the profile is \(profile.source)"
        case .noCategory: "the notification has no category, so no content extension shows it"
        case .unknownCategory(let nearMiss):
            "no content extension declares the notification's category" + nearMiss.suffix
        }
    }
}
