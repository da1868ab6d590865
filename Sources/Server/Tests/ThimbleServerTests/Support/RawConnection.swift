import Foundation

/// A TCP connection to the server, for requests that no HTTP library sends.
final class RawConnection {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: CInt
    private var buffer: [UInt8] = []
    /// Fields after the last chunk of a body, by name in lower case.
    private(set) var trailers: [String: String] = [:]

    /// `receiveBuffer` bounds what the kernel takes before the client reads, in bytes.
    init(port: Int, timeout: Int = 20, receiveBuffer: CInt? = nil) throws {
        #if os(Linux)
            descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        if var receiveBuffer {
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer,
                socklen_t(MemoryLayout<CInt>.size))
        }
        var time = timeval(tv_sec: timeout, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw Failure(description: "connect: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Ends the connection with a reset, as a killed client does.
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else {
                throw Failure(description: "send: \(String(cString: strerror(errno)))")
            }
            start += count
        }
    }

    /// A request with a body and its length.
    func send(
        _ method: String, _ path: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
    ) throws {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        try send(Array((head + "\r\n").utf8) + (body ?? []))
    }

    /// The next response, without any of status 1xx; `isHead` for one without a body.
    func response(isHead: Bool = false) throws -> Response {
        while true {
            let response = try responseHead()
            guard response.status >= 200 else { continue }
            return isHead ? response : try withBody(response)
        }
    }

    /// The head of the next response.
    func responseHead() throws -> Response {
        let lines = String(decoding: try bytes(upTo: "\r\n\r\n"), as: UTF8.self)
            .components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw Failure(description: "no status in \(lines[0])") }
        var response = Response(status: status)
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            guard pair.count == 2 else { continue }
            response.fields[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
        }
        return response
    }

    /// The next chunk of a body; nil after the last.
    func chunk() throws -> [UInt8]? {
        let size = String(decoding: try bytes(upTo: "\r\n"), as: UTF8.self)
        guard let count = Int(size, radix: 16) else {
            throw Failure(description: "no chunk size in \(size)")
        }
        guard count > 0 else {
            while true {
                let line = String(decoding: try bytes(upTo: "\r\n"), as: UTF8.self)
                let pair = line.split(separator: ":", maxSplits: 1)
                guard pair.count == 2 else { return nil }
                trailers[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
            }
        }
        let bytes = try bytes(count)
        _ = try self.bytes(2)
        return bytes
    }

    /// Bytes that the server sends until it ends the connection.
    func rest() throws -> [UInt8] {
        while try read() > 0 {}
        return buffer
    }

    /// True if the server ends the connection within the timeout, whatever it still sends.
    func isClosedByServer() -> Bool {
        while let count = try? read() {
            if count == 0 { return true }
        }
        return errno == ECONNRESET
    }

    private func withBody(_ head: Response) throws -> Response {
        var response = head
        if [204, 304].contains(head.status) { return head }
        if head.fields["transfer-encoding"] == "chunked" {
            while let chunk = try chunk() { response.body += chunk }
        } else if let length = head.fields["content-length"].flatMap({ Int($0) }) {
            response.body = try bytes(length)
        }
        return response
    }

    private func bytes(upTo mark: String) throws -> [UInt8] {
        let mark = Array(mark.utf8)
        while true {
            if let place = buffer.firstRange(of: mark) {
                defer { buffer.removeFirst(place.upperBound) }
                return Array(buffer[..<place.lowerBound])
            }
            guard try read() > 0 else { throw Failure(description: "the connection ended") }
        }
    }

    private func bytes(_ count: Int) throws -> [UInt8] {
        while buffer.count < count {
            guard try read() > 0 else { throw Failure(description: "the connection ended") }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    private func read() throws -> Int {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else {
            throw Failure(description: "recv: \(String(cString: strerror(errno)))")
        }
        buffer += bytes.prefix(count)
        return count
    }
}

struct Response {
    let status: Int
    /// Fields by name in lower case.
    var fields: [String: String] = [:]
    var body: [UInt8] = []

    init(status: Int) { self.status = status }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object; empty for other bodies.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }

    /// The code of problem details; nil for other bodies.
    var problem: String? {
        guard fields["content-type"] == "application/problem+json" else { return nil }
        return json["code"] as? String
    }
}
