import AttachmentModel
import Foundation
import SampleApps

@testable import NotificationCheck

extension FuzzTarget {
    /// Readers of built apps and of their sources.
    static let apps = [
        FuzzTarget("zip-archive", seeds: archives, read: readArchive),
        FuzzTarget("mach-o", seeds: { programs.map(\.bytes) }, read: readProgram),
        FuzzTarget("code-signature", seeds: signatures, read: readSignature),
        FuzzTarget("sources", seeds: { sources.map { Array($0.utf8) } }, read: readSources),
    ]

    /// Every member alone, and the archive as an app.
    private static func readArchive(_ input: FuzzInput) {
        input.withFile { file in
            let path = "/proc/self/fd/\(file.descriptor)"
            if let archive = try? ZipArchive(path: path) { read(archive) }
            guard let app = try? AppReader.read(at: path, withStrings: true) else { return }
            precondition(app.extensions.count <= AppFilesLimit.extensions)
            precondition(app.findings.allSatisfy { !$0.message.isEmpty && !$0.remedy.isEmpty })
        }
    }

    private static func read(_ archive: ZipArchive) {
        let (ceiling, files) = (1 << 20, ArchiveFiles(archive: archive))
        var budget = ReadBudget()
        for name in archive.names.prefix(32) {
            precondition(!name.hasPrefix("/") && !name.split(separator: "/").contains(".."))
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            let folder = parts.dropLast().joined(separator: "/")
            if !folder.isEmpty || parts.count == 1 {
                precondition(files.children(of: folder).contains(String(parts.last ?? "")))
            }
            let bytes = try? archive.contents(of: name, ceiling: ceiling, &budget)
            precondition((bytes ?? nil)?.count ?? 0 <= ceiling)
        }
    }

    private static func readProgram(_ input: FuzzInput) {
        guard let program = try? MachOFile(input.bytes, path: "input") else { return }
        precondition(1...16 ~= program.slices.count)
        var strings = ProgramStrings()
        strings.insert(program)
        for name in ["org.example.photo", "é"] {
            _ = NearMiss.nearest(to: name, among: strings.candidates(for: name))
        }
        for slice in program.slices {
            for section in slice.sections {
                let contents = slice.contents(ofSection: section.name)
                precondition(contents?.count ?? 0 <= input.bytes.count)
            }
        }
        _ = try? TargetEntitlements.signed(in: program, path: "input")
    }

    private static func readSignature(_ input: FuzzInput) {
        if let signature = try? CodeSignature(ByteReader(input.bytes), path: "input") {
            precondition(signature.entitlements?.count ?? 0 <= input.bytes.count)
        }
        _ = try? ProvisioningProfile.entitlements(in: input.bytes, path: "input")
    }

    /// The bytes as a file of every language.
    private static func readSources(_ input: FuzzInput) {
        let lines = 1 + input.bytes.count { $0 == UInt8(ascii: "\n") }
        for language in SourceLanguage.allCases {
            let tokens = SourceLexer.tokens(of: input.bytes, language)
            precondition(tokens.count <= input.bytes.count)
            precondition(zip(tokens, tokens.dropFirst()).allSatisfy { $0.line <= $1.line })
            precondition(tokens.last?.line ?? 1 <= lines)
            var constants = StringConstants()
            var scan = CategoryScan()
            var groups = AppGroupScan()
            switch language {
            case .swift:
                constants.collect(swift: tokens, in: "input")
                scan.scan(swift: tokens, in: "input", constants)
                groups.scan(swift: tokens, in: "input", constants)
                var keys = KeychainScan()
                keys.scan(swift: tokens, in: "input", constants)
                precondition(keys.uses.count <= tokens.count)
            case .objectiveC:
                constants.collect(objectiveC: tokens, in: "input")
                scan.scan(objectiveC: tokens, in: "input", constants)
                groups.scan(objectiveC: tokens, in: "input", constants)
            case .javaScript:
                constants.collect(javaScript: tokens, in: "input")
                scan.scan(javaScript: tokens, in: "input", constants)
                groups.scan(javaScript: tokens, in: "input")
            }
            precondition(scan.categories.list.count + scan.computed.count <= tokens.count)
            precondition(groups.groups.count <= tokens.count)
        }
    }
}

extension FuzzTarget {
    /// Programs of all forms.
    private static let programs: [SampleProgram] = {
        let groups = ["com.apple.security.application-groups": ["group.a"]]
        let list = (try? SampleApp.list(groups)) ?? []
        let plain = SampleProgram(
            strings: ["title", "org.example.photo", "org.example.photos"], entitlements: list)
        let changes: [(inout SampleProgram) -> Void] = [
            { _ in }, { $0.isWide = false }, { $0.isFat = true }, { $0.isEncrypted = true },
            { $0.signature = .none }, { $0.signature = .linker },
            { $0.hasEncodedEntitlements = false }, { $0.simulatorEntitlements = list },
        ]
        return changes.map { change in
            var program = plain
            change(&program)
            return program
        }
    }()

    /// The signatures of the programs, and a provisioning profile.
    private static func signatures() -> [[UInt8]] {
        let magic: [UInt8] = [0xFA, 0xDE, 0x0C, 0xC0]
        let signatures = programs.map(\.bytes).compactMap { bytes in
            bytes.firstRange(of: magic).map { Array(bytes[$0.lowerBound...]) }
        }
        return signatures + [(try? SampleApp.provisioningProfile(["a": true])) ?? []]
    }

    /// A small archive in all forms, and an app.
    private static func archives() -> [[UInt8]] {
        var small = SampleZip()
        small.add("Payload/Daily.app/Info.plist", Array("<plist><dict/></plist>".utf8))
        small.add("Payload/Daily.app/PlugIns/a.appex/b", [UInt8](repeating: 7, count: 99))
        let changes: [(inout SampleZip) -> Void] = [
            { _ in }, { $0.members[0].method = 0 }, { $0.isWide = true }, { $0.comment = "PK" },
        ]
        let archives = changes.map { change in
            var zip = small
            change(&zip)
            return zip.bytes
        }
        guard let app = try? SampleApp(), let path = try? app.write(as: .ipa),
            let bytes = try? Data(contentsOf: URL(fileURLWithPath: path))
        else { fatalError("the app cannot be written") }
        return archives + [[UInt8](bytes)]
    }

    private static let sources = [
        #"""
        // A comment /* with another
        enum Category: String { case photo, album = "Album" }
        extension App.Names { static let shown: String = #"ph"o\#to"# }
        struct A { private static let id = "a\n\"b"
          func f() { _ = UNNotificationCategory(identifier: Self.id, actions: []) } }
        let c = UNNotificationCategory.init(identifier: Category.photo.rawValue, actions: [k])
        let all: Set<UNNotificationCategory> = [.init(identifier: "x\(y("z"))", intentIdentifiers: [])]
        let text = """
          several "lines" \(1 + (2))
          """
        """#,
        """
        #define kPhoto @"photo"
        static NSString *const kAlbum = @"al\\"bum"; /* comment */
        [UNNotificationCategory categoryWithIdentifier:@"photo" actions:@[] options:0];
        [UNNotificationCategory categoryWithIdentifier:kAlbum actions:@[] options:0];
        + (id)categoryWithIdentifier:(NSString *)identifier; char c = '\\'';
        """,
    ]
}
