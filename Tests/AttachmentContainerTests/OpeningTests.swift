import AttachmentContainer
import Foundation
import Testing

@Suite("Opening a container")
struct OpeningTests {
    private static let openings: [@Sendable (URL) throws -> SharedContainer] = [
        { try SharedContainer.create(at: $0) }, { try SharedContainer.open(at: $0) },
    ]

    @Test("Creating makes the layout and missing parent folders")
    func layout() throws {
        let fixture = try ContainerFixture()
        let root = fixture.url("a/b/c")
        _ = try SharedContainer.create(at: root)
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
        #expect(
            names == [
                "fetched", "incoming", "notifications", "pinned", "published", "renditions",
                "results", "thimble.json",
            ])
        #expect(try fixture.files(in: "a/b/c/incoming").isEmpty)
        let json = try String(contentsOf: root.appending(path: "thimble.json"), encoding: .utf8)
        #expect(json.contains(#""formatVersion" : "1.0""#))
        #expect(try SharedContainer.open(at: root).root == root)
    }

    @Test("Creating keeps the contents of an existing container")
    func again() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one")
        let again = try SharedContainer.create(at: fixture.folder)
        #expect(try again.manifest(for: "one") == manifest)
    }

    @Test("Concurrent creation of the same container succeeds")
    func race() async throws {
        let fixture = try ContainerFixture()
        let root = fixture.url("raced")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask { _ = try SharedContainer.create(at: root) }
            }
            try await group.waitForAll()
        }
        _ = try SharedContainer.open(at: root)
        #expect(try fixture.files(in: "raced") == ["thimble.json"])
    }

    @Test("Opening a missing container fails and creates nothing")
    func missing() throws {
        let fixture = try ContainerFixture()
        let nowhere = fixture.url("nowhere")
        let error = #expect(throws: ContainerError.self) { try SharedContainer.open(at: nowhere) }
        #expect(error?.code == .missing)
        #expect(error?.path == nowhere.path)
        #expect(!FileManager.default.fileExists(atPath: nowhere.path))
    }

    @Test("A file, and a path below a file, are refused", arguments: ["file", "file/below"])
    func file(name: String) throws {
        let fixture = try ContainerFixture()
        try fixture.write("", to: "file")
        for open in Self.openings {
            let error = #expect(throws: ContainerError.self) { try open(fixture.url(name)) }
            #expect(error?.code == .notAFolder)
        }
    }

    @Test("A file in place of a folder of the container is named, with the remedy")
    func fileInPlace() throws {
        let fixture = try ContainerFixture()
        try FileManager.default.createDirectory(
            at: fixture.url("container"), withIntermediateDirectories: true)
        try fixture.write("", to: "container/renditions")
        let error = #expect(throws: ContainerError.self) {
            try SharedContainer.create(at: fixture.url("container"))
        }
        #expect(error?.code == .notAFolder && error?.path.hasSuffix("/renditions") == true)
        #expect(error?.fault.remedy == "move the file away, or choose another folder")
    }

    #if os(Linux)
        @Test("A file system that takes no folders is no reason to try again")
        func noFolders() {
            let error = #expect(throws: ContainerError.self) {
                try SharedContainer.create(at: URL(fileURLWithPath: "/proc/thimble"))
            }
            #expect(error?.code == .notWritable)
            #expect(error?.fault.remedy == "choose a folder on a disk")
        }

        @Test("A folder that is not writable even for root is refused before any work")
        func notWritable() {
            let error = #expect(throws: ContainerError.self) {
                try SharedContainer.create(at: URL(fileURLWithPath: "/sys/thimble"))
            }
            #expect(error?.code == .notWritable)
            #expect(error?.detail.hasPrefix("mkdir: ") == true)
        }
    #endif

    @Test(
        "A read-only container is refused before any work",
        .enabled(if: getuid() != 0, "root may write to every folder"))
    func readOnly() throws {
        let fixture = try ContainerFixture()
        let incoming = fixture.path("incoming")
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: incoming)
        let error = #expect(throws: ContainerError.self) {
            try SharedContainer.create(at: fixture.folder)
        }
        #expect(error?.code == .notWritable)
        _ = try SharedContainer.open(at: fixture.folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: incoming)
    }

    @Test(
        "Only a version with the same major number is opened",
        arguments: [
            (#"{"formatVersion":"1.0"}"#, nil),
            (#"{"formatVersion":"1.9","later":[1,2]}"#, nil),
            (#"{"formatVersion":"2.0","later":true}"#, .unknownVersion),
            (#"{"formatVersion":"0.9"}"#, .unknownVersion),
            (#"{"formatVersion":"one"}"#, .corrupt),
            (#"{"formatVersion":"1.-1"}"#, .corrupt),
            (#"{"formatVersion":1}"#, .corrupt),
            (#"{}"#, .corrupt),
            ("", .corrupt),
            (#"{"formatVersion":"1.0""#, .corrupt),
            (String(repeating: " ", count: 2 << 20) + #"{"formatVersion":"1.0"}"#, .corrupt),
        ] as [(String, ContainerError.Code?)])
    func version(json: String, expected: ContainerError.Code?) throws {
        let fixture = try ContainerFixture()
        try fixture.write(json, to: "thimble.json")
        for open in Self.openings {
            guard let expected else {
                _ = try open(fixture.folder)
                continue
            }
            let error = #expect(throws: ContainerError.self) { try open(fixture.folder) }
            #expect(error?.code == expected)
            #expect(error?.path == fixture.path("thimble.json"))
        }
        #expect(try String(contentsOf: fixture.url("thimble.json"), encoding: .utf8) == json)
    }

    @Test("Every error states path, reason and remedy", arguments: ContainerError.Code.allCases)
    func description(code: ContainerError.Code) {
        let error = ContainerError(code, path: "/folder", reason: "the reason", detail: "errno")
        #expect(error.description == "/folder: the reason; \(code.remedy)")
        #expect(error.detailedDescription == "[\(code.rawValue)] \(error.description) (errno)")
        #expect(!code.remedy.isEmpty && code.remedy.last != ".")
    }
}
