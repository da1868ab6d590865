import Foundation

/// A running `apns.py`, the stand-in of APNs that counts the bytes of payloads.
package final class PushService: Sendable {
    private let port: UInt16
    private let script: ServerScript

    package init() throws {
        script = try ServerScript("apns.py") { _ in [] }
        guard let port = UInt16(try script.firstLine()) else { throw CocoaError(.executableLoad) }
        self.port = port
    }

    /// Sizes of the accepted payloads, in bytes, in order of arrival.
    package var accepted: [Int] { script.lines.dropFirst().compactMap { Int($0) } }

    /// Sends a payload on a connection of its own, and returns the status of the answer.
    package func send(_ payload: [UInt8], pushType: String = "alert") throws -> Int {
        let connection = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(connection) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafeBytes(of: &address) { bytes in
            // sockaddr_in begins with the fields of sockaddr (ip(7)).
            connect(
                connection, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count))
        }
        let head =
            "POST /3/device/00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "apns-push-type: \(pushType)\r\nContent-Length: \(payload.count)\r\n\r\n"
        let request = Array(head.utf8) + payload
        guard connected == 0,
            Foundation.send(connection, request, request.count, 0) == request.count
        else { throw CocoaError(.fileWriteUnknown) }
        var answer = [UInt8](repeating: 0, count: 4096)
        let count = recv(connection, &answer, answer.count, 0)
        // "HTTP/1.1 200 OK"
        let line = String(decoding: answer.prefix(max(0, count)), as: UTF8.self)
        guard let status = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return status
    }
}
