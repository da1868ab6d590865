#if os(Linux)
    import CEscapes
    import Foundation

    extension Escape {
        /// Abuse of the sockets and paths that a transfer process keeps.
        static let transfers: [Escape] = [
            Escape("write to a file that may be read") {
                escape_open("\($0.outside)/readable", O_WRONLY)
            },
            Escape("empty a file that may be read") {
                escape_open("\($0.outside)/readable", O_RDONLY | O_TRUNC)
            },
            Escape("list the folder of a file that may be read") {
                escape_open($0.outside, O_RDONLY | O_DIRECTORY)
            },
            Escape("hold a path without reading it") { _ in
                // O_PATH.
                escape_open("/etc/passwd", 0o10_000_000)
            },
            Escape("make a raw socket", call: SYS_socket, 17, 2, 0),
            Escape("make a socket to virtual machines", call: SYS_socket, 40, 1, 0),
            Escape("wait for connections") { _ in
                let socket = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
                defer { close(socket) }
                return listen(socket, 1) == 0 ? 0 : errno
            },
            Escape("bind a socket to a port") { _ in
                let socket = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
                defer { close(socket) }
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                return withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 ? 0 : errno
                    }
                }
            },
            Escape("connect to another port") { _ in connect(to: 9) },
        ]

        /// Connects to a port of 127.0.0.1.
        static func connect(to port: UInt16) -> CInt {
            let socket = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            guard socket >= 0 else { return errno }
            defer { close(socket) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Foundation.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                        ? 0 : errno
                }
            }
        }
    }

    extension Duty {
        /// What a transfer process needs besides.
        static let transfers: [Duty] = [
            Duty(name: "read a file that may be read") {
                escape_open("\($0.outside)/readable", O_RDONLY)
            },
            Duty(name: "resolve a name") { _ in
                var result: UnsafeMutablePointer<addrinfo>?
                let code = getaddrinfo("localhost", "443", nil, &result)
                if code == 0 { freeaddrinfo(result) }
                return code == 0 ? 0 : EIO
            },
            Duty(name: "reach an allowed port") { _ in
                // Nobody listens, or somebody does.
                let error = Escape.connect(to: 443)
                return error == ECONNREFUSED ? 0 : error
            },
        ]
    }
#endif
