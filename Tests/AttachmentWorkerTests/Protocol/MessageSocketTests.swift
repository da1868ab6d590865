import AttachmentContainer
import AttachmentModel
import Foundation
import WorkerProtocol
import Testing

@Suite("Messages with attachments", .timeLimit(.minutes(1)))
struct MessageSocketTests {
    private func request(_ rung: Rung) throws -> Data {
        try Frame.encode(SupervisorMessage.request(WorkerRequest(below: rung)))
    }

    /// Open files with numbered contents.
    private func files(_ word: String) throws -> [OwnedDescriptor] {
        try (0...PresetSelection.content.outputs).map { number in
            let file = try OwnedDescriptor(unnamedFileIn: NSTemporaryDirectory())
            let text = Array("\(word) \(number)".utf8)
            try #require(write(file.descriptor, text, text.count) == text.count)
            return file
        }
    }

    private func texts(of descriptors: [CInt]) -> [String] {
        descriptors.map { descriptor in
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = pread(descriptor, &bytes, bytes.count, 0)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }

    @Test("Each message arrives with its own descriptors, even if several are queued")
    func order() async throws {
        let (socket, end) = try MessageSocket.pair()
        defer { close(end) }
        let rungs: [Rung] = [.streamed, .reduced, .preview]
        for rung in rungs {
            let files = try files(rung.rawValue)
            defer { withExtendedLifetime(files) {} }
            try await socket.send(request(rung), with: files.map(\.descriptor))
        }
        var reader = MessageReader<SupervisorMessage>(socket: end)
        for rung in rungs {
            let order = try #require(try reader.next())
            guard case .request(let request) = order.message else {
                Issue.record("not a request")
                return
            }
            #expect(request.below == rung)
            #expect(texts(of: order.descriptors) == (0...3).map { "\(rung.rawValue) \($0)" })
        }
    }

    @Test("A message longer than the socket buffer arrives completely and blocks no thread")
    func long() async throws {
        let (socket, end) = try MessageSocket.pair()
        defer { close(end) }
        var settings = ProcessingSettings()
        settings.scratchFolder = String(repeating: "x", count: 1 << 20)
        let long = try Frame.encode(
            SupervisorMessage.configuration(
                WorkerConfiguration(
                    settings: settings, overhead: ByteCount(0), ownLimit: nil,
                    sandbox: .automatic, limits: ResourceLimits())))
        let reading = Task.detached {
            var reader = MessageReader<SupervisorMessage>(socket: end)
            return try reader.next()
        }
        let file = try files("long")[0]
        defer { withExtendedLifetime(file) {} }
        try await socket.send(long, with: [file.descriptor])
        let order = try #require(try await reading.value)
        guard case .configuration(let configuration) = order.message else {
            Issue.record("not a configuration")
            return
        }
        #expect(configuration.settings.scratchFolder == settings.scratchFolder)
        #expect(texts(of: order.descriptors) == ["long 0"])
    }

    @Test(
        "A request with too few descriptors is refused",
        arguments: 0...PresetSelection.content.outputs)
    func missing(count: Int) async throws {
        let (socket, end) = try MessageSocket.pair()
        defer { close(end) }
        let files = try files("file").prefix(count)
        defer { withExtendedLifetime(files) {} }
        try await socket.send(request(.streamed), with: files.map(\.descriptor))
        var reader = MessageReader<SupervisorMessage>(socket: end)
        #expect(throws: FrameError.unreadable("too few descriptors were sent with it")) {
            try reader.next()
        }
    }

    @Test("A message whose descriptors the system drops is refused, and the others are closed")
    func dropped() throws {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        // More than the reader has room for. The other end of the pipe tells when all are closed.
        var pipeEnds: [CInt] = [-1, -1]
        try #require(pipe(&pipeEnds) == 0)
        defer { close(pipeEnds[0]) }
        for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let sent = Self.send([CInt](repeating: pipeEnds[1], count: 17), over: ends[0])
        close(pipeEnds[1])
        try #require(sent == 1)
        var reader = MessageReader<SupervisorMessage>(socket: ends[1])
        #expect(throws: FrameError.unreadable("descriptors were lost")) { try reader.next() }
        var byte: UInt8 = 0
        #expect(read(pipeEnds[0], &byte, 1) == 0)
    }

    /// Sends a byte with any number of descriptors (cmsg(3)).
    private static func send(_ descriptors: [CInt], over socket: CInt) -> Int {
        let length = MemoryLayout<cmsghdr>.stride + descriptors.count * MemoryLayout<CInt>.size
        var control = [UInt64](repeating: 0, count: length / 8 + 1)
        return control.withUnsafeMutableBytes { control in
            // Valid: the buffer holds the header and all descriptors.
            var header = cmsghdr()
            header.cmsg_len = length
            header.cmsg_level = SOL_SOCKET
            header.cmsg_type = CInt(SCM_RIGHTS)
            control.storeBytes(of: header, as: cmsghdr.self)
            for (index, descriptor) in descriptors.enumerated() {
                control.storeBytes(
                    of: descriptor, toByteOffset: MemoryLayout<cmsghdr>.stride + 4 * index,
                    as: CInt.self)
            }
            var byte: UInt8 = 0
            return withUnsafeMutablePointer(to: &byte) { byte in
                var vector = iovec(iov_base: byte, iov_len: 1)
                return withUnsafeMutablePointer(to: &vector) { vector in
                    var message = msghdr()
                    message.msg_iov = vector
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = length
                    return sendmsg(socket, &message, 0)
                }
            }
        }
    }

    @Test("Each end notices when the other is closed")
    func ends() async throws {
        let (socket, end) = try MessageSocket.pair()
        close(end)
        let frame = try request(.streamed)
        await #expect(throws: MessageError.self) { try await socket.send(frame) }

        // Keep only the worker's end.
        let workersEnd = try MessageSocket.pair().worker
        defer { close(workersEnd) }
        var reader = MessageReader<SupervisorMessage>(socket: workersEnd)
        let order = try reader.next()
        #expect(order.map { _ in true } == nil)
    }
}
