internal import CMessages
package import Foundation

/// The supervisor's end of the socket that a worker has as its standard input.
///
/// A socket, unlike a pipe, takes open files along (`SCM_RIGHTS` of unix(7)): a worker, which opens no
/// path, is given its files that way.
package final class MessageSocket: Sendable {
    private let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Makes a pair.
    ///
    /// - Returns: The supervisor's end, and the worker's, which is the caller's to close.
    /// - Throws: `MessageError` when the system refuses.
    package static func pair() throws(MessageError) -> (own: MessageSocket, worker: CInt) {
        let (own, worker) = try ends()
        // The worker has nothing to say here.
        shutdown(own, CInt(SHUT_RD))
        return (MessageSocket(descriptor: own), worker)
    }

    /// Makes the two ends of a socket, closed in every program that is started.
    static func ends() throws(MessageError) -> (own: CInt, worker: CInt) {
        var ends: [CInt] = [-1, -1]
        #if os(Linux)
            // Also in those that are being started by other threads now.
            let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw MessageError("socketpair") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Sends a message, without ever blocking a thread.
    ///
    /// - Parameters:
    ///   - frame: Its bytes.
    ///   - descriptors: Open files that go along. The default is none.
    /// - Throws: `MessageError` when the worker is gone, or the task was cancelled.
    package func send(_ frame: Data, with descriptors: [CInt] = []) async throws(MessageError) {
        var rest = frame
        var descriptors = descriptors
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                bytes.baseAddress.map {
                    thimble_send(
                        self.descriptor, $0, bytes.count, descriptors, descriptors.count)
                } ?? 0
            }
            if count > 0 {
                rest = rest.dropFirst(count)
                descriptors = []
            } else if errno == EAGAIN {
                // A worker reads one message at a time, and the kernel holds 200 kB.
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

    /// A call that failed.
    ///
    /// - Parameters:
    ///   - call: Its name.
    ///   - number: The number of the error.
    init(call: String, number: CInt) {
        self.call = call
        self.number = number
    }

    /// The call and the system's words.
    package var description: String { "\(call): \(String(cString: strerror(number)))" }
}
