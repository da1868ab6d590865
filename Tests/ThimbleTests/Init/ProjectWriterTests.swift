import Foundation
import Testing

@testable import thimble

@Suite("Writing the files of a project")
struct ProjectWriterTests {
    private static let files = [
        ProjectFiles.File(path: "a.txt", contents: Array("new a".utf8)),
        ProjectFiles.File(path: "b/b.txt", contents: Array("new b".utf8)),
        ProjectFiles.File(path: "c.txt", contents: Array("new c".utf8)),
    ]

    /// Writes over a project with files of the user's; `fails` says which moves fail.
    private static func write(
        in folder: URL, failing fails: @escaping (_ item: URL, _ place: URL) -> Bool
    ) throws -> ProjectError? {
        for file in ["a.txt", "c.txt"] {
            try Data("my \(file)".utf8).write(to: folder.appending(path: file))
        }
        var writer = ProjectWriter(folder: folder, replaces: true)
        writer.moveItem = { item, place in
            if fails(item, place) { throw CocoaError(.fileWriteNoPermission) }
            try FileManager.default.moveItem(at: item, to: place)
        }
        do throws(ProjectError) {
            try writer.write(Self.files)
            return nil
        } catch {
            return error
        }
    }

    @Test("All files are replaced")
    func replaced() throws {
        try InitRun.inFolder { folder in
            #expect(try Self.write(in: folder) { _, _ in false } == nil)
            let tree = try InitRun.tree(folder)
            #expect(Set(tree.keys) == ["a.txt", "b", "b/b.txt", "c.txt"])
            #expect(tree["c.txt"] == Data("new c".utf8))
        }
    }

    @Test("A failed move leaves the project as it was")
    func undone() throws {
        try InitRun.inFolder { folder in
            let error = try Self.write(in: folder) { item, place in
                item.lastPathComponent == "2" && place.lastPathComponent == "c.txt"
            }
            #expect(error?.code == .unwritable)
            let tree = try InitRun.tree(folder)
            #expect(tree == ["a.txt": Data("my a.txt".utf8), "c.txt": Data("my c.txt".utf8)])
        }
    }

    @Test("A file that cannot be moved back is kept, and the error says where")
    func stranded() throws {
        try InitRun.inFolder { folder in
            let error = try #require(
                try Self.write(in: folder) { item, place in
                    // Neither can the new file take its place, nor the old one return.
                    place.lastPathComponent == "c.txt"
                })
            #expect(error.code == .notRestored && error.path.hasSuffix("c.txt"), "\(error)")
            let tree = try InitRun.tree(folder)
            #expect(tree["a.txt"] == Data("my a.txt".utf8) && tree["b"] == nil)
            let kept = try #require(tree.first { $0.value == Data("my c.txt".utf8) }?.key)
            #expect(error.reason.contains(kept), "\(error.reason), \(kept)")
        }
    }
}
