import AttachmentContainer
import AttachmentModel
import AttachmentPublishing
import Foundation
import Testing

@Suite("Folders of a batch", .timeLimit(.minutes(2)))
struct FolderBatchTests {
    /// Fails every attachment, and records its identifier.
    private final class Recorder: AttachmentProcessing {
        let identifiers = Lock<[String]>([])

        func process(
            _ request: AttachmentRequest
        ) async throws(AttachmentError) -> ProcessedAttachment {
            identifiers.withLock { $0.append(request.identifier) }
            throw AttachmentError(.corrupt, file: request.path, reason: "a test")
        }

        func inspect(
            _ request: AttachmentRequest
        ) async throws(AttachmentError) -> InspectedAttachment {
            throw AttachmentError(.corrupt, file: request.path, reason: "a test")
        }
    }

    private func withFolder(_ body: (URL, FolderBatch) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try SharedContainer.create(at: folder.appending(path: "Container"))
        try await body(folder, FolderBatch(folder: folder, container: container))
    }

    private func add(_ names: [String], to folder: URL) throws {
        for name in names {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: file)
        }
    }

    @Test("Files come in the order of their paths, without hidden files, links and the container")
    func order() async throws {
        try await withFolder { folder, batch in
            let names = ["a!", "a/b", "a/c/d", "a/c0", "a0", "b", "c/e", "d"]
            try add(names.shuffled() + [".hidden", ".folder/a"], to: folder)
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "link"),
                withDestinationURL: folder.appending(path: "a"))
            #expect(mkfifo(folder.appending(path: "fifo").path, 0o600) == 0)
            let recorder = Recorder()
            #expect(await batch.run(with: recorder, jobs: 1) { _ in })
            #expect(recorder.identifiers.withLock { $0 } == names)
            #expect(batch.count() == names.count)
        }
    }

    @Test("Of a folder beyond one portion, each file comes once, and both portions are sorted")
    func portions() async throws {
        try await withFolder { folder, batch in
            // One portion has 10,000 names, of which one is the container's.
            let names = (1...10_100).map { "\($0)" }
            try add(["1"], to: folder)
            for name in names.dropFirst() { link("\(folder.path)/1", "\(folder.path)/\(name)") }
            let recorder = Recorder()
            #expect(await batch.run(with: recorder, jobs: 1) { _ in })
            let found = recorder.identifiers.withLock { $0 }
            #expect(found.sorted() == names.sorted())
            let descents = zip(found, found.dropFirst()).count { $0 > $1 }
            #expect(descents <= 1)
        }
    }

    @Test("A cancelled batch begins no further file, and says so")
    func cancellation() async throws {
        try await withFolder { folder, batch in
            try add((1...50).map { "\($0)" }, to: folder)
            let recorder = Recorder()
            let isComplete = await Task {
                await batch.run(with: recorder, jobs: 2) { _ in
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }.value
            #expect(!isComplete)
            #expect(recorder.identifiers.withLock { $0.count } <= 3)
        }
    }

    @Test("A folder that is a file, or missing, is an error")
    func missing() async throws {
        try await withFolder { folder, _ in
            try add(["file"], to: folder)
            let container = try SharedContainer.create(at: folder.appending(path: "Container"))
            for name in ["file", "missing"] {
                let error = #expect(throws: AttachmentError.self) {
                    try FolderBatch(folder: folder.appending(path: name), container: container)
                }
                #expect(error?.code == .unreadable)
            }
        }
    }
}
