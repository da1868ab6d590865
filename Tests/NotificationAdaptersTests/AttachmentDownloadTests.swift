import AttachmentContainer
import NotificationAdapters
import Foundation
import Testing

@Suite("Downloading an attachment", .serialized, .timeLimit(.minutes(1)))
struct AttachmentDownloadTests {
    private let folder: TemporaryFolder
    private var settings = DownloadSettings()

    init() throws {
        folder = try TemporaryFolder()
        settings.allowsInsecureTransfer = true
        settings.maximumBytes = .megabytes(1)
    }

    /// The error of a download, which must leave nothing behind.
    private func failure(
        of url: URL, settings: DownloadSettings? = nil, within time: Duration = .seconds(20)
    ) async throws -> DownloadError {
        let download = AttachmentDownload(settings: settings ?? self.settings)
        let error = try await #require(throws: DownloadError.self) {
            try await download.file(from: url, into: folder.url, by: .now.advanced(by: time))
        }
        #expect(try folder.names == [])
        // Messages contain neither address nor path.
        for text in [error.description, error.detailedDescription] {
            #expect(!text.contains("127.0.0.1"))
            #expect(!text.contains(folder.url.path))
        }
        return error
    }

    @Test("A file is downloaded byte for byte, under a unique name")
    func whole() async throws {
        let body = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let server = try LoopbackServer { _ in .answer(status: 200, body: body) }
        let download = AttachmentDownload(settings: settings)
        let first = try await download.file(from: server.url("a.jpg"), into: folder.url)
        let second = try await download.file(from: server.url("a.jpg"), into: folder.url)
        #expect(try Data(contentsOf: first) == body)
        #expect(try folder.names.count == 2)
        #expect(first != second)
    }

    @Test("A redirection is followed")
    func redirection() async throws {
        let server = try LoopbackServer { request in
            request.path == "moved"
                ? .answer(status: 302, headers: ["Location: /here"])
                : .answer(status: 200, body: Data(request.path.utf8))
        }
        let file = try await AttachmentDownload(settings: settings).file(
            from: server.url("moved"), into: folder.url)
        #expect(try Data(contentsOf: file) == Data("here".utf8))
    }

    @Test("Only https URLs are requested", arguments: ["http", "ftp", "file", "data"])
    func insecure(scheme: String) async throws {
        let url = try #require(URL(string: "\(scheme)://127.0.0.1/picture.jpg"))
        #expect(try await failure(of: url, settings: DownloadSettings()).code == .insecure)
    }

    @Test("A redirection to another scheme is not followed")
    func insecureRedirection() async throws {
        let server = try LoopbackServer { _ in
            .answer(status: 302, headers: ["Location: ftp://127.0.0.1/picture.jpg"])
        }
        #expect(try await failure(of: server.url("moved")).code == .insecure)
    }

    @Test("An error status is reported", arguments: [204, 304, 403, 404, 500])
    func status(_ status: Int) async throws {
        let server = try LoopbackServer { _ in
            .answer(status: status, body: status < 400 ? Data() : Data("no".utf8))
        }
        let error = try await failure(of: server.url("gone"))
        #expect(error.code == (status == 204 ? .empty : .refused))
        if status != 204 { #expect(error.reason.contains("\(status)")) }
    }

    @Test("An empty file is refused")
    func empty() async throws {
        let server = try LoopbackServer { _ in .answer(status: 200) }
        #expect(try await failure(of: server.url("empty")).code == .empty)
    }

    @Test("A file of the maximum length is accepted, and one more byte is refused")
    func limit() async throws {
        let server = try LoopbackServer { request in
            .answer(status: 200, body: Data(count: 1_000_000 + (request.path == "more" ? 1 : 0)))
        }
        let error = try await failure(of: server.url("more"))
        #expect(error.code == .tooLarge)
        #expect(error.reason.contains("1 MB"))
        _ = try await AttachmentDownload(settings: settings).file(
            from: server.url("exact"), into: folder.url)
    }

    @Test("An endless stream is stopped at the limit")
    func endless() async throws {
        let server = try LoopbackServer { _ in .endless() }
        #expect(try await failure(of: server.url("endless")).code == .tooLarge)
    }

    @Test("A silent server ends the download at the deadline")
    func late() async throws {
        let server = try LoopbackServer { _ in .silence }
        #expect(try await failure(of: server.url("silence"), within: .seconds(1)).code == .late)
    }

    @Test("After the deadline no request is made")
    func noTime() async throws {
        let server = try LoopbackServer { _ in .endless() }
        #expect(try await failure(of: server.url("a"), within: .zero).code == .late)
    }

    @Test("A refused connection is reported as unreachable")
    func unreachable() async throws {
        // The port is closed with its server.
        let url = try LoopbackServer { _ in .silence }.url("nobody")
        #expect(try await failure(of: url).code == .unreachable)
    }

    @Test("A cancelled download ends before its deadline", arguments: [0, 200])
    func cancellation(milliseconds: Int) async throws {
        let server = try LoopbackServer { _ in .silence }
        let url = try server.url("silence")
        let task = Task { try await failure(of: url, within: .seconds(50)) }
        try await Task.sleep(for: .milliseconds(milliseconds))
        task.cancel()
        #expect(try await task.value.code == .cancelled)
    }
}
