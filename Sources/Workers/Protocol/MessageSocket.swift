import AttachmentContainer
internal import CSystemCalls
package import Foundation

/// The supervisor's end of the worker's standard input, which carries descriptors (unix(7)).
package final class MessageSocket: Sendable {
    private let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Creates the socket pair; the caller closes the worker's end.
    package static func pair() throws(MessageError) -> (own: MessageSocket, worker: CInt) {
        let (own, worker) = try ends()
        // The worker sends nothing on this socket.
        shutdown(own, CInt(SHUT_RD))
        return (MessageSocket(descriptor: own), worker)
    }

    static func ends() throws(MessageError) -> (own: CInt, worker: CInt) {
        var ends: [CInt] = [-1, -1]
        #if os(Linux)
            // Set at creation, because other threads may be starting processes.
            let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        #else
            let kind: CInt = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw MessageError("socketpair") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    package func send(_ frame: Data, with descriptors: [CInt] = []) async throws(MessageError) {
        var rest = frame
        var descriptors = descriptors
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                bytes.baseAddress.map {
                    thimble_send(self.descriptor, $0, bytes.count, descriptors, descriptors.count)
                } ?? 0
            }
            if count > 0 {
                rest = rest.dropFirst(count)
                descriptors = []
            } else if errno == EAGAIN {
                // The socket buffer (200 kB) is full only while the worker is busy.
                do { try await Deadline.sleep(for: .milliseconds(1)) } catch {
                    throw MessageError(call: "sendmsg", number: ECANCELED)
                }
            } else if errno != EINTR {
                throw MessageError("sendmsg")
            }
        }
    }
}

package struct MessageError: Error, Hashable, CustomStringConvertible {
    private let call: String
    private let number: CInt

    init(_ call: String) { self.init(call: call, number: errno) }

    init(call: String, number: CInt) {
        self.call = call
        self.number = number
    }

    package var description: String { "\(call): \(String(cString: strerror(number)))" }
}
