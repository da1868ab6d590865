import Foundation

/// The names in a project's sources that other parts of the project must repeat.
struct SourceNames {
    /// True if a service extension finds pictures by code.
    fileprivate(set) var hasPictureSource = false
    fileprivate(set) var categories = CategoryScan()
    fileprivate(set) var appGroups = AppGroupScan()
    fileprivate(set) var sealingKeys = KeychainScan()
}

/// The source files in a folder.
struct SourceFolder {
    /// The files that may create categories or name App Groups.
    private var files: [(path: String, tokens: [SourceToken], language: SourceLanguage)] = []
    private var constants = StringConstants()
    private var hasPictureSource = false
    private var count = 0
    private var bytes = 0
    private var tokenCount = 0

    /// Limits on a project's own sources; the largest public apps have 10,000 files with 100 MB.
    private enum Limit {
        static let files = 20_000
        static let bytes = 256 << 20
        static let fileBytes = 8 << 20
        static let depth = 32
        /// Tokens of files with categories or App Groups, of 32 bytes each; such files are few.
        static let tokens = 4_000_000
        static let constants = 1_000_000
    }

    /// Folders of dependencies and of built products.
    private static let foreign: Set = [
        "Pods", "Carthage", "DerivedData", "node_modules", "build", "dist",
    ]
    /// Words of which a file that creates categories or names App Groups has at least one.
    private static let marks: Set = [
        "UNNotificationCategory", "categoryWithIdentifier", "intentIdentifiers", "appGroup",
        "inAppGroup", "initWithAppGroup", "KeychainSealingKey", "setNotificationCategoryAsync",
    ]

    /// Finds the categories that the sources of all folders create, and their App Groups.
    ///
    /// A constant may be declared in another folder than its use.
    ///
    /// - Throws: `AppError` naming a folder or a file that is unreadable or too large.
    static func names(in paths: [String]) throws(AppError) -> SourceNames {
        var folder = SourceFolder()
        for path in paths {
            guard FileManager.default.fileExists(atPath: path) else {
                throw AppError(.unreadable, file: path, "it does not exist")
            }
            try folder.add(path, depth: 0)
        }
        var names = SourceNames()
        names.hasPictureSource = folder.hasPictureSource
        for file in folder.files {
            let (tokens, path, constants) = (file.tokens, file.path, folder.constants)
            switch file.language {
            case .swift:
                names.categories.scan(swift: tokens, in: path, constants)
                names.appGroups.scan(swift: tokens, in: path, constants)
                names.sealingKeys.scan(swift: tokens, in: path, constants)
            case .objectiveC:
                names.categories.scan(objectiveC: tokens, in: path, constants)
                names.appGroups.scan(objectiveC: tokens, in: path, constants)
            case .javaScript:
                names.categories.scan(javaScript: tokens, in: path, constants)
                names.appGroups.scan(javaScript: tokens, in: path)
            }
        }
        return names
    }

    private mutating func add(_ path: String, depth: Int) throws(AppError) {
        // The folder that is given may itself be a link.
        let place =
            depth == 0 ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
        let attributes = try? FileManager.default.attributesOfItem(atPath: place)
        switch attributes?[.type] as? FileAttributeType {
        case .typeDirectory?: try addChildren(of: path, depth: depth)
        case .typeRegular?: try addFile(path)
        // A link's target is a source only if it is in the folder too.
        default: break
        }
    }

    private mutating func addChildren(of path: String, depth: Int) throws(AppError) {
        guard depth < Limit.depth else {
            throw AppError(.tooLarge, file: path, "folders nest more than \(Limit.depth) deep")
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw AppError(.unreadable, file: path, "the folder cannot be listed")
        }
        for name in names.sorted() where !name.hasPrefix(".") && !Self.foreign.contains(name) {
            try add("\(path)/\(name)", depth: depth + 1)
        }
    }

    private mutating func addFile(_ path: String) throws(AppError) {
        let kind = String(path.split(separator: ".").last ?? "")
        guard let language = SourceLanguage(fileExtension: kind) else { return }
        count += 1
        guard count <= Limit.files, bytes <= Limit.bytes else {
            throw AppError(
                .tooLarge, file: path, "there are more than \(Limit.files) sources or 256 MiB")
        }
        let contents: [UInt8]
        do throws(ProfileError) {
            contents = Array(try BoundedFile.contents(of: path, ceiling: Limit.fileBytes))
        } catch {
            throw AppError(
                error.code == .tooLarge ? .tooLarge : .unreadable, file: path, error.reason)
        }
        bytes += contents.count
        let tokens = SourceLexer.tokens(of: contents, language)
        switch language {
        case .swift: constants.collect(swift: tokens, in: path)
        case .objectiveC: constants.collect(objectiveC: tokens, in: path)
        case .javaScript: constants.collect(javaScript: tokens, in: path)
        }
        guard constants.count <= Limit.constants else {
            throw AppError(
                .tooLarge, file: path, "there are more than \(Limit.constants) constants")
        }
        hasPictureSource = hasPictureSource || PictureSourceScan.isFound(in: tokens)
        let isMarked = tokens.contains {
            Self.marks.contains($0.word ?? "") || $0.kind == AppGroupScan.entitlement
        }
        guard isMarked else { return }
        tokenCount += tokens.count
        guard tokenCount <= Limit.tokens else {
            throw AppError(
                .tooLarge, file: path,
                "the sources with categories and App Groups have more than \(Limit.tokens) tokens")
        }
        files.append((path, tokens, language))
    }
}
