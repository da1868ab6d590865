import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// An HTTP server on the loopback interface, for one test.
///
/// It answers each connection on a separate thread, according to the request, and closes it.
final class LoopbackServer: Sendable {
    enum Reply: Sendable {
        /// A head and a body.
        case answer(status: Int, headers: [String] = [], body: Data = Data())
        /// A head without a length, a body, and nothing more until the client disconnects.
        case stream(headers: [String], body: Data)
        /// A head with the length of the whole body, and a part of the body.
        case cut(after: Int, body: Data)
        /// A head without a length, and bytes until the client disconnects; called after each 64 KiB.
        case endless(didSend: @Sendable () -> Void = {})
        /// Nothing, until the client disconnects.
        case silence
    }

    struct Request: Sendable {
        var method = ""
        /// The path without its first slash.
        var path = ""
        /// The header fields, by their names in lower case.
        var headers: [String: String] = [:]
        var body = Data()
    }

    let port: UInt16
    private let listener: Int32

    init(_ reply: @escaping @Sendable (Request) -> Reply) throws {
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            // accept fails once the server has closed the listener.
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                Thread.detachNewThread { Self.serve(connection, reply) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    func url(_ path: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)/\(path)") else {
            throw URLError(.badURL)
        }
        return url
    }

    /// Reads a head, and the body that it announces; nil if the client disconnects before.
    private static func request(from connection: Int32) -> Request? {
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 8192)
        var request: Request?
        var (end, length) = (0, 0)
        while request == nil || received.count < end + length {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received += buffer[..<count]
            guard request == nil, let blank = received.range(of: Data("\r\n\r\n".utf8)) else {
                continue
            }
            let lines = String(decoding: received[..<blank.lowerBound], as: UTF8.self)
                .components(separatedBy: "\r\n")
            let words = lines[0].split(separator: " ")
            guard words.count > 1 else { return nil }
            var found = Request(method: String(words[0]), path: String(words[1].dropFirst()))
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { continue }
                found.headers[parts[0].lowercased()] =
                    parts[1].trimmingCharacters(in: .whitespaces)
            }
            end = blank.upperBound
            length = found.headers["content-length"].flatMap { Int($0) } ?? 0
            request = found
        }
        request?.body = received.dropFirst(end)
        return request
    }

    private static func serve(_ connection: Int32, _ reply: (Request) -> Reply) {
        defer { close(connection) }
        guard let request = request(from: connection) else { return }
        var buffer = [UInt8](repeating: 0, count: 8192)
        switch reply(request) {
        case .answer(let status, let headers, let body):
            let head =
                ["HTTP/1.1 \(status) Test", "Connection: close", "Content-Length: \(body.count)"]
                + headers
            _ = put(Data((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body, to: connection)
        case .stream(let headers, let body):
            let head = ["HTTP/1.1 200 OK", "Connection: close"] + headers
            _ = put(Data((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body, to: connection)
            while recv(connection, &buffer, buffer.count, 0) > 0 {}
        case .cut(let count, let body):
            let head =
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"
            _ = put(Data(head.utf8) + body.prefix(count), to: connection)
        case .endless(let didSend):
            let block = Data(repeating: 7, count: 64 << 10)
            var isTaken = put(
                Data("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8), to: connection)
            // FoundationNetworking cancels no task while its connection always has more bytes.
            while isTaken {
                isTaken = put(block, to: connection)
                didSend()
                usleep(2000)
            }
        case .silence:
            while recv(connection, &buffer, buffer.count, 0) > 0 {}
        }
    }

    private static func put(_ bytes: Data, to connection: Int32) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
            var on: Int32 = 1
            setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(4))
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, flags)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
