import Foundation
import Testing
import WorkerProtocol

@Suite("Messages with attachments", .timeLimit(.minutes(1)))
struct MessageSocketTests {
    private func request(_ identifier: String) throws -> Data {
        try Frame.encode(
            SupervisorMessage.request(
                WorkerRequest(path: "a", identifier: identifier, category: nil, below: nil)))
    }

    /// Hands over an open file with some text in it.
    private func withFile<Value>(_ text: String, _ body: (CInt) async throws -> Value) async throws
        -> Value
    {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: path)
        let descriptor = open(path.path, O_RDONLY)
        defer { close(descriptor) }
        // It is reached by its descriptor alone from here on.
        try FileManager.default.removeItem(at: path)
        return try await body(descriptor)
    }

    private func text(of attachment: CInt?) throws -> String {
        let descriptor = try #require(attachment)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test("Each message arrives with its own file, also when several are under way")
    func order() async throws {
        let (socket, end) = try MessageSocket.pair()
        defer { close(end) }
        for word in ["one", "two", "three"] {
            try await withFile(word) { try await socket.send(request(word), with: $0) }
        }
        var reader = MessageReader(socket: end)
        for word in ["one", "two", "three"] {
            let order = try #require(try reader.next())
            guard case .request(let request) = order.message else {
                Issue.record("not a request")
                return
            }
            #expect(request.identifier == word)
            #expect(try text(of: order.attachment) == word)
        }
    }

    @Test("A message longer than the socket holds arrives whole, and blocks no thread")
    func long() async throws {
        let (socket, end) = try MessageSocket.pair()
        defer { close(end) }
        let long = String(repeating: "x", count: 1 << 20)
        let reading = Task.detached {
            var reader = MessageReader(socket: end)
            return try reader.next()
        }
        try await withFile("long") { try await socket.send(request(long), with: $0) }
        let order = try #require(try await reading.value)
        guard case .request(let request) = order.message else {
            Issue.record("not a request")
            return
        }
        #expect(request.identifier == long)
        #expect(try text(of: order.attachment) == "long")
    }

    @Test("A request that brings no file is refused")
    func missing() async throws {
        let (socket, end) = try MessageSocket.pair()
        defer { close(end) }
        try await socket.send(request("id"))
        var reader = MessageReader(socket: end)
        #expect(throws: FrameError.unreadable("no attachment came along")) { try reader.next() }
    }

    @Test("Each end notices when the other is gone")
    func ends() async throws {
        let (socket, end) = try MessageSocket.pair()
        close(end)
        let frame = try request("id")
        await #expect(throws: MessageError.self) { try await socket.send(frame) }

        // Only the worker's end is kept.
        let workersEnd = try MessageSocket.pair().worker
        defer { close(workersEnd) }
        var reader = MessageReader(socket: workersEnd)
        let order = try reader.next()
        #expect(order.map { _ in true } == nil)
    }
}
