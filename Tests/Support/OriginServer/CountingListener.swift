import Foundation

/// A listener that counts connections without accepting them.
package final class CountingListener: Sendable {
    private let socket: CInt

    /// Nil if the address or the port is not available; 0 is any free port.
    package init?(on address: String, port: UInt16) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, "\(port)", &hints, &found) == 0, let info = found?.pointee else {
            return nil
        }
        defer { freeaddrinfo(found) }
        socket = Foundation.socket(info.ai_family, info.ai_socktype, 0)
        var one: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        guard bind(socket, info.ai_addr, info.ai_addrlen) == 0, listen(socket, 64) == 0 else {
            close(socket)
            return nil
        }
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    }

    deinit { close(socket) }

    /// The port in use.
    package var port: UInt16 {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &address) { bytes in
            guard
                let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getsockname(socket, base, &length) == 0
            else { return 0 }
            // The port follows the family in both kinds of addresses (ip(7), ipv6(7)).
            return UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
    }

    /// Connections since the last call.
    package var connections: Int {
        var count = 0
        while case let connection = accept(socket, nil, nil), connection >= 0 {
            close(connection)
            count += 1
        }
        return count
    }
}
