import Foundation
import Testing

/// A port at which connections are accepted, and not answered.
final class Listener: Sendable {
    let port: Int
    private let descriptor: CInt

    init() throws {
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
        try #require(isBound)
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// True once a client has connected.
    func accept(within seconds: Int) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, CInt(seconds * 1000)) == 1 else { return false }
        return Foundation.accept(descriptor, nil, nil) >= 0
    }

    /// The next client; nil once the port is closed.
    func next() -> CInt? {
        let client = Foundation.accept(descriptor, nil, nil)
        return client >= 0 ? client : nil
    }

    func close() {
        // Ends a thread that waits for a client.
        shutdown(descriptor, CInt(SHUT_RDWR))
        Foundation.close(descriptor)
    }
}
