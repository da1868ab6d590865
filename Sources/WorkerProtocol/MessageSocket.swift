internal import CMessages
package import Foundation

/// The supervisor's end of the socket that a worker has as its standard input.
///
/// A socket, unlike a pipe, takes open files along (`SCM_RIGHTS` of unix(7)): a worker that may open
/// no path is given its attachment that way.
package final class MessageSocket: Sendable {
    private let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Makes a pair.
    ///
    /// - Returns: The supervisor's end, and the worker's, which is the caller's to close.
    /// - Throws: `MessageError` when the system refuses.
    package static func pair() throws(MessageError) -> (own: MessageSocket, worker: CInt) {
        var ends: [CInt] = [-1, -1]
        #if os(Linux)
            // Closed in every other process that is being started meanwhile.
            let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw MessageError("socketpair") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // The worker has nothing to say here.
        shutdown(ends[0], CInt(SHUT_RD))
        return (MessageSocket(descriptor: ends[0]), ends[1])
    }

    /// Sends a message, without ever blocking a thread.
    ///
    /// - Parameters:
    ///   - frame: Its bytes.
    ///   - attachment: An open file that goes along; nil for none.
    /// - Throws: `MessageError` when the worker is gone, or the task was cancelled.
    package func send(_ frame: Data, with attachment: CInt? = nil) async throws(MessageError) {
        var rest = frame
        var attachment = attachment
        while !rest.isEmpty {
            let descriptor = attachment ?? -1
            let count = rest.withUnsafeBytes { bytes in
                bytes.baseAddress.map {
                    thimble_send(self.descriptor, $0, bytes.count, descriptor)
                } ?? 0
            }
            if count > 0 {
                rest = rest.dropFirst(count)
                attachment = nil
            } else if errno == EAGAIN {
                // A worker reads one message at a time, and the kernel holds 200 kB: only what
                // somebody put into an identifier is longer.
                do { try await Task.sleep(for: .milliseconds(1)) } catch {
                    throw MessageError(call: "sendmsg", number: ECANCELED)
                }
            } else if errno != EINTR {
                throw MessageError("sendmsg")
            }
        }
    }
}

/// What failed between a supervisor and its worker.
package struct MessageError: Error, Hashable, CustomStringConvertible {
    private let call: String
    private let number: CInt

    /// A call that failed just now.
    ///
    /// - Parameter call: Its name.
    init(_ call: String) { self.init(call: call, number: errno) }

    fileprivate init(call: String, number: CInt) {
        self.call = call
        self.number = number
    }

    /// The call and the system's words.
    package var description: String { "\(call): \(String(cString: strerror(number)))" }
}
