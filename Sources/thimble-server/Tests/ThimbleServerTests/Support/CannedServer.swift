import Foundation

/// A server that gives every client the same answer, whatever it asks.
final class CannedServer: Sendable {
    let port: Int
    private let descriptor: CInt

    /// `answer` is the whole answer, head included; a slow one comes with a byte every tenth of a second.
    init(_ answer: String, isSlow: Bool = false) throws {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            // The address is of the family that the socket has.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw RawConnection.Failure(description: "no port") }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
        let bytes = Array(answer.utf8)
        Thread.detachNewThread {
            while case let client = accept(descriptor, nil, nil), client >= 0 {
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

    func stop() {
        shutdown(descriptor, CInt(SHUT_RDWR))
        close(descriptor)
    }
}
