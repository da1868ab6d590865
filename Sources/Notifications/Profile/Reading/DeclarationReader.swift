/// Reads a content extension's declarations and collects all faults.
package struct DeclarationReader {
    private let file: PropertyListFile
    package private(set) var faults: [ProfileError] = []
    /// The categories, even if other parts have faults; nil if unreadable.
    package private(set) var categories: [String]?

    /// Maximum number of categories of an extension; apps declare a few.
    private static let categoryLimit = 1000

    package init(_ file: PropertyListFile) { self.file = file }

    /// Reads the profile; nil if there are faults.
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
            let stray = entries.lazy.map(file.stray).first { !$0.isEmpty } ?? ""
            faults.append(
                file.fault(
                    .missingKey, in: .mainStoryboard,
                    "it has neither a storyboard nor a principal class" + stray))
        }
        guard faults.isEmpty, let categories, let ratio else { return nil }
        return Profile(
            source: file.path, categories: categories, initialContentSizeRatio: ratio,
            hidesDefaultContent: isHidden ?? false, overridesDefaultTitle: overridesTitle ?? false,
            isUserInteractionEnabled: isInteractive ?? false, principalClass: principalClass,
            mainStoryboard: storyboard, display: options.display, fitting: options.fitting ?? .fit)
    }

    /// Returns true for a content extension, whose other keys are then meaningful.
    private mutating func readExtensionPoint() -> Bool {
        let identifier = required(.pointIdentifier, as: String.self)
        guard let identifier, identifier != ExtensionPoint.content.rawValue else {
            return identifier != nil
        }
        faults.append(
            file.fault(
                .wrongExtensionPoint, in: .pointIdentifier,
                "it is \(identifier.quoted), and a content extension's is "
                    + ExtensionPoint.content.rawValue))
        return false
    }

    private mutating func readCategories() -> [String]? {
        guard let value = file.value(at: DeclarationKey.category.keys) else {
            // The key, or one of its parents, is missing.
            _ = required(.category, as: [PropertyValue].self)
            return nil
        }
        let values = if case .array(let values) = value { values } else { [value] }
        guard values.count <= Self.categoryLimit else {
            faults.append(
                file.fault(
                    .tooComplex, in: .category,
                    "it contains more than \(Self.categoryLimit) categories"))
            return nil
        }
        var list: [String] = []
        for value in values {
            guard case .string(let category) = value else {
                faults.append(
                    file.fault(
                        .wrongType, in: .category,
                        "it contains \(value.typeName), but must be a string or an array of strings"
                    ))
                return nil
            }
            list.append(category)
        }
        if let fault = Self.fault(inCategories: list, of: file.path) { faults.append(fault) }
        return list
    }

    private mutating func required<Value>(_ key: DeclarationKey, as type: Value.Type) -> Value? {
        let before = faults.count
        let value = optional(key, as: type)
        if value == nil, faults.count == before {
            faults.append(file.missing(key))
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
    /// The fault of missing, empty or duplicate categories.
    static func fault(inCategories categories: [String], of source: String) -> ProfileError? {
        let key = DeclarationKey.category.path
        guard !categories.isEmpty, categories.allSatisfy({ !$0.isEmpty }) else {
            return ProfileError(
                .invalidValue, file: source, key: key,
                reason: categories.isEmpty ? "it has no category" : "it has an empty category")
        }
        var known: Set<[UInt8]> = []
        let duplicate = categories.first { !known.insert(Array($0.utf8)).inserted }
        return duplicate.map {
            ProfileError(
                .duplicateCategory, file: source, key: key, reason: "it contains \($0.quoted) twice"
            )
        }
    }

    static func fault(inRatio ratio: Double, of source: String) -> ProfileError? {
        guard !ratio.isFinite || ratio <= 0 else { return nil }
        return ProfileError(
            .invalidValue, file: source, key: DeclarationKey.initialContentSizeRatio.path,
            reason: "it is \(ratio), but must be a finite number above 0: height divided by width")
    }
}
