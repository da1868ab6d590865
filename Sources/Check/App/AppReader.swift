import Foundation

/// Reads an app's property lists and programs.
///
/// A fault in one part is a finding, and the other parts are read all the same.
struct AppReader {
    private let files: any AppFiles
    private var findings: [CheckReport.Finding] = []
    private var isComplete = true
    private var budget = ReadBudget()
    /// The literals of the programs read so far; nil if not asked for.
    private var strings: ProgramStrings?

    private init(files: any AppFiles, withStrings: Bool) {
        self.files = files
        strings = withStrings ? ProgramStrings() : nil
    }

    /// Reads the app at a path.
    ///
    /// - Parameters:
    ///   - path: The path of an .app, an .xcarchive or an .ipa.
    ///   - withStrings: True to read the literals of the app's programs.
    /// - Returns: The app, with findings about unreadable parts.
    /// - Throws: `AppError` if the path has no app.
    static func read(at path: String, withStrings: Bool) throws(AppError) -> AppBundle {
        let location = try AppLocation.find(at: path)
        var reader = AppReader(files: location.files, withStrings: withStrings)
        return try reader.read(location.folder)
    }

    private mutating func read(_ folder: String) throws(AppError) -> AppBundle {
        let layout = try BundleLayout(of: folder, in: files)
        guard let info = propertyList(layout.file("Info.plist")) else {
            return AppBundle(
                app: nil, extensions: [], isComplete: false, strings: nil, findings: findings)
        }
        let app = target(.app, info, layout)
        let plugIns = layout.file("PlugIns")
        var extensions: [AppBundle.Target] = []
        let names = try files.children(of: plugIns)
            .filter { $0.hasSuffix(".appex") || $0.hasSuffix(".app") }
        guard names.count <= AppFilesLimit.extensions else {
            throw AppError(
                .tooLarge, file: files.path(of: plugIns),
                "the app has more than \(AppFilesLimit.extensions) extensions")
        }
        for name in names {
            let folder = plugIns.appending(name)
            guard let target = try notificationExtension(folder) else { continue }
            extensions.append(target)
            guard name.hasSuffix(".app") else { continue }
            // Field reports: the system finds no extension in such a folder.
            findings.append(
                CheckReport.Finding(
                    .missingExtension, "the extension's folder does not end in .appex",
                    at: CheckReport.Place(files.path(of: folder)),
                    remedy: "set the target's Wrapper Extension to appex"))
        }
        try readLibraries(layout)
        return AppBundle(
            app: app, extensions: extensions, isComplete: isComplete, strings: strings,
            findings: findings)
    }

    /// Reads an extension; nil if it is of another kind or unreadable.
    private mutating func notificationExtension(
        _ folder: String
    ) throws(AppError) -> AppBundle.Target? {
        let layout = try BundleLayout(of: folder, in: files)
        guard let info = propertyList(layout.file("Info.plist")) else {
            isComplete = false
            return nil
        }
        guard let role = Project.Role(ofExtension: info) else { return nil }
        return target(role, info, layout)
    }

    /// Reads a target's program, which may be large, and drops it.
    private mutating func target(
        _ role: Project.Role, _ info: PropertyListFile, _ layout: BundleLayout
    ) -> AppBundle.Target {
        let program = program(of: info, layout)
        if role == .app {
            if let program { strings?.insert(program.file) } else { strings?.omit() }
        }
        return AppBundle.Target(
            role: role, info: info,
            entitlements: program.flatMap { entitlements(of: $0, layout) },
            program: program?.path ?? info.path)
    }

    private struct Program {
        let path: String
        let file: MachOFile
    }

    private mutating func program(of info: PropertyListFile, _ layout: BundleLayout) -> Program? {
        attempt { reader in
            let key = "CFBundleExecutable"
            guard let name = try info.value([key], as: String.self) else {
                throw ProfileError(.missingKey, file: info.path, key: key, reason: "it is missing")
            }
            guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/"))
            else {
                throw ProfileError(
                    .invalidValue, file: info.path, key: key, reason: "it is not a file name")
            }
            let member = layout.programs.appending(name)
            let path = reader.files.path(of: member)
            guard let bytes = try reader.contents(of: member, ceiling: AppFilesLimit.program) else {
                throw AppError(.unreadable, file: path, "the program is missing")
            }
            return Program(path: path, file: try MachOFile(bytes, path: path))
        }
    }

    private mutating func entitlements(
        of program: Program, _ layout: BundleLayout
    ) -> TargetEntitlements? {
        attempt { reader in
            if let signed = try TargetEntitlements.signed(in: program.file, path: program.path) {
                return signed
            }
            let profile = layout.provisioningProfile
            let bytes = try reader.contents(of: profile, ceiling: ProvisioningProfile.ceiling)
            guard let bytes else {
                return .unknown("the program has neither a signature nor a provisioning profile")
            }
            let path = reader.files.path(of: profile)
            guard let list = try ProvisioningProfile.entitlements(in: bytes, path: path) else {
                return .unknown("the provisioning profile has no entitlements")
            }
            return .permitted(list)
        }
    }

    private mutating func propertyList(_ name: String) -> PropertyListFile? {
        attempt { reader in
            let path = reader.files.path(of: name)
            let ceiling = PropertyListFile.ceiling
            guard let bytes = try reader.contents(of: name, ceiling: ceiling) else {
                throw AppError(.unreadable, file: path, "the Info.plist is missing")
            }
            return try PropertyListFile(Data(bytes), path: path)
        }
    }

    private mutating func contents(of name: String, ceiling: Int) throws(AppError) -> [UInt8]? {
        try files.contents(of: name, ceiling: ceiling, &budget)
    }

    /// Reads the literals of the app's frameworks and libraries.
    ///
    /// Xcode puts the code of debug builds into a library beside the program.
    private mutating func readLibraries(_ layout: BundleLayout) throws(AppError) {
        guard strings != nil else { return }
        let frameworks = layout.file("Frameworks")
        var members = try files.children(of: layout.programs).filter { $0.hasSuffix(".dylib") }
            .map { layout.programs.appending($0) }
        for name in try files.children(of: frameworks) {
            let member = frameworks.appending(name)
            if name.hasSuffix(".dylib") { members.append(member) }
            guard name.hasSuffix(".framework") else { continue }
            members.append(member.appending(String(name.dropLast(".framework".count))))
        }
        for member in members {
            // A framework without a program of its name has only resources.
            do throws(AppError) {
                let ceiling = AppFilesLimit.program
                guard let bytes = try contents(of: member, ceiling: ceiling) else { continue }
                let library = try MachOFile(bytes, path: files.path(of: member))
                strings?.insert(library)
            } catch {
                strings?.omit()
            }
        }
    }

    /// Runs a step; its error becomes a finding.
    private mutating func attempt<Value>(_ step: (inout AppReader) throws -> Value) -> Value? {
        do {
            return try step(&self)
        } catch let error as ProfileError {
            findings.append(CheckReport.Finding(error))
        } catch let error as AppError {
            findings.append(CheckReport.Finding(error))
        } catch {
            // The steps throw no other errors.
            isComplete = false
        }
        return nil
    }
}

extension Project.Role {
    /// The role of an extension by its Info.plist; nil for other kinds of extension.
    ///
    /// An extension whose point is missing or misspelt has the role that its keys or the nearest point
    /// tell, so that the fault is found.
    init?(ofExtension info: PropertyListFile) {
        let points = [ExtensionPoint.content.rawValue, ExtensionPoint.service.rawValue]
        let attributes = info.value(at: DeclarationKey.attributes.keys)
        let declaresContent: Bool =
            if case .dictionary(let values)? = attributes {
                values.keys.contains { $0.hasPrefix("UNNotificationExtension") }
            } else {
                false
            }
        switch info.value(at: DeclarationKey.pointIdentifier.keys) {
        case .string(let point)?:
            let nearest = NearMiss.nearest(to: point, among: points)?.identifier ?? point
            if declaresContent || nearest == points[0] {
                self = .content
            } else if nearest == points[1] {
                self = .service
            } else {
                return nil
            }
        case nil where info.value(at: ["NSExtension"]) == nil:
            // Extensions of ExtensionKit have EXAppExtensionAttributes in its place.
            guard NearMiss.nearest(to: "NSExtension", among: info.root.keys.sorted()) != nil else {
                return nil
            }
            self = .content
        case nil, .some: self = declaresContent ? .content : .service
        }
    }
}
