import Foundation

/// A server that gives every client the same answer, whatever it asks.
final class CannedServer: Sendable {
    private let listener: Listener

    var port: Int { listener.port }

    /// `answer` is the whole answer, head included; a slow one comes with a byte every tenth of a second.
    init(_ answer: String, isSlow: Bool = false) throws {
        listener = try Listener()
        let bytes = Array(answer.utf8)
        Thread.detachNewThread { [listener] in
            while let client = listener.next() {
                Thread.detachNewThread { Self.answer(client, bytes, isSlow) }
            }
        }
    }

    private static func answer(_ client: CInt, _ bytes: [UInt8], _ isSlow: Bool) {
        defer { close(client) }
        var request = [UInt8](repeating: 0, count: 1 << 16)
        guard recv(client, &request, request.count, 0) > 0 else { return }
        let step = isSlow ? 1 : bytes.count
        for start in stride(from: 0, to: bytes.count, by: max(1, step)) {
            let sent = bytes[start...].withUnsafeBytes {
                send(client, $0.baseAddress, min(step, $0.count), CInt(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            if isSlow { Thread.sleep(forTimeInterval: 0.1) }
        }
        // The rest of the request is read, so that the end of the answer is no reset.
        shutdown(client, CInt(SHUT_WR))
        while recv(client, &request, request.count, 0) > 0 {}
    }

    func stop() { listener.close() }
}
