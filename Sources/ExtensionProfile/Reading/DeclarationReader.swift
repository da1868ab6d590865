/// Reads what a content extension declares, and notes every fault on the way.
package struct DeclarationReader {
    private let file: PropertyListFile
    /// What was wrong, in the order of the keys.
    package private(set) var faults: [ProfileError] = []
    /// The categories, also of an extension with other faults; nil when they cannot be read.
    package private(set) var categories: [String]?

    /// Begins with nothing read.
    ///
    /// - Parameter file: The Info.plist.
    package init(_ file: PropertyListFile) { self.file = file }

    /// Reads the profile.
    ///
    /// - Parameter options: What the extension has to show a picture with.
    /// - Returns: The profile; nil when there are faults.
    package mutating func profile(with options: DisplayOptions) -> Profile? {
        guard readExtensionPoint() else { return nil }
        categories = readCategories()
        let ratio = required(.initialContentSizeRatio, as: Double.self)
        if let ratio, let fault = Self.fault(inRatio: ratio, of: file.path) {
            faults.append(fault)
        }
        let isHidden = optional(.defaultContentHidden, as: Bool.self)
        let overridesTitle = optional(.overridesDefaultTitle, as: Bool.self)
        let isInteractive = optional(.userInteractionEnabled, as: Bool.self)
        let principalClass = optional(.principalClass, as: String.self)
        let storyboard = optional(.mainStoryboard, as: String.self)
        let entries = [DeclarationKey.principalClass, .mainStoryboard]
        if entries.allSatisfy({ file.value(at: $0.keys) == nil }) {
            faults.append(
                ProfileError(
                    .missingKey, file: file.path, key: DeclarationKey.mainStoryboard.path,
                    reason: "there is neither a storyboard nor a principal class to load"))
        }
        guard faults.isEmpty, let categories, let ratio else { return nil }
        return Profile(
            source: file.path, categories: categories, initialContentSizeRatio: ratio,
            hidesDefaultContent: isHidden ?? false, overridesDefaultTitle: overridesTitle ?? false,
            isUserInteractionEnabled: isInteractive ?? false, principalClass: principalClass,
            mainStoryboard: storyboard, options: options)
    }

    /// - Returns: Whether the file is a content extension's, so that the rest has a meaning.
    private mutating func readExtensionPoint() -> Bool {
        let identifier = required(.pointIdentifier, as: String.self)
        guard let identifier, identifier != ExtensionPoint.content.rawValue else {
            return identifier != nil
        }
        faults.append(
            ProfileError(
                .wrongExtensionPoint, file: file.path, key: DeclarationKey.pointIdentifier.path,
                reason: "it is \(identifier.quoted), and a content extension's is "
                    + ExtensionPoint.content.rawValue))
        return false
    }

    private mutating func readCategories() -> [String]? {
        var list: [String] = []
        switch file.value(at: DeclarationKey.category.keys) {
        case .string(let category): list = [category]
        case .array(let values):
            for value in values {
                guard case .string(let category) = value else {
                    faults.append(Self.wrongCategory(value.typeName, in: file.path))
                    return nil
                }
                list.append(category)
            }
        case .none:
            // Its absence, or that of what it is in.
            _ = required(.category, as: [PropertyValue].self)
            return nil
        case .some(let value):
            faults.append(Self.wrongCategory(value.typeName, in: file.path))
            return nil
        }
        if let fault = Self.fault(inCategories: list, of: file.path) { faults.append(fault) }
        return list
    }

    private mutating func required<Value>(_ key: DeclarationKey, as type: Value.Type) -> Value? {
        let before = faults.count
        let value = optional(key, as: type)
        if value == nil, faults.count == before {
            faults.append(
                ProfileError(
                    .missingKey, file: file.path, key: key.path, reason: "it is not there"))
        }
        return value
    }

    private mutating func optional<Value>(_ key: DeclarationKey, as type: Value.Type) -> Value? {
        do throws(ProfileError) {
            return try file.value(key.keys, as: type)
        } catch {
            if !faults.contains(error) { faults.append(error) }
            return nil
        }
    }
}

extension DeclarationReader {
    /// What is wrong when there is no category, an empty one, or one twice.
    static func fault(inCategories categories: [String], of source: String) -> ProfileError? {
        let key = DeclarationKey.category.path
        guard !categories.isEmpty, categories.allSatisfy({ !$0.isEmpty }) else {
            return ProfileError(
                .invalidValue, file: source, key: key,
                reason: categories.isEmpty ? "it names no category" : "a category in it is empty")
        }
        var known: Set<[UInt8]> = []
        let duplicate = categories.first { !known.insert(Array($0.utf8)).inserted }
        return duplicate.map {
            ProfileError(
                .duplicateCategory, file: source, key: key, reason: "\($0.quoted) is in it twice")
        }
    }

    /// What is wrong when a ratio is not one of two lengths.
    static func fault(inRatio ratio: Double, of source: String) -> ProfileError? {
        guard !ratio.isFinite || ratio <= 0 else { return nil }
        return ProfileError(
            .invalidValue, file: source, key: DeclarationKey.initialContentSizeRatio.path,
            reason: "it is \(ratio), and must be a finite number above 0: height by width")
    }

    private static func wrongCategory(_ typeName: String, in source: String) -> ProfileError {
        ProfileError(
            .wrongType, file: source, key: DeclarationKey.category.path,
            reason: "\(typeName) is in it, where a string or an array of strings must be")
    }
}
