internal import CMessages
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The supervisor's end of the socket on which a worker is given scratch files.
///
/// It answers on a thread of libdispatch's until it is stopped. Somebody who asks more often than any
/// attachment has use for is refused, and reported.
package final class ScratchSupply: Sendable {
    /// What an attachment asks for at most: a grid of 4096 tiles, each with a file of its own.
    package static let allowance = 4096

    // It may be cancelled from any thread, and is set up before there is another.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private let left = Mutex(allowance)

    /// Makes a pair.
    ///
    /// - Parameters:
    ///   - makeFile: Makes an empty file without a name; the descriptor is closed once it is sent.
    ///     An error is passed on as the number that the system left.
    ///   - report: Called when the worker asks for more than it may have, and it is given nothing any
    ///     more.
    /// - Returns: The supervisor's end, and the worker's, which is the caller's to close.
    /// - Throws: `MessageError` when the system refuses.
    package static func pair<Failure: Error>(
        makeFile: @escaping @Sendable () throws(Failure) -> CInt,
        report: @escaping @Sendable () -> Void
    ) throws(MessageError) -> (own: ScratchSupply, worker: CInt) {
        let (own, worker) = try MessageSocket.ends()
        let make = { @Sendable () -> CInt in
            do throws(Failure) {
                return try makeFile()
            } catch {
                // 0 would be a success.
                return -max(1, errno)
            }
        }
        return (ScratchSupply(socket: own, make, report), worker)
    }

    private init(
        socket: CInt, _ makeFile: @escaping @Sendable () -> CInt,
        _ report: @escaping @Sendable () -> Void
    ) {
        source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: .global())
        source.setCancelHandler { close(socket) }
        source.setEventHandler { [weak self] in
            guard let self else { return }
            var bytes: [UInt8] = [0, 0]
            let count = thimble_receive_now(socket, &bytes, bytes.count)
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            guard count > 0 else { return source.cancel() }
            // It waits for each before it asks for the next.
            guard count == 1, take(), Self.answer(makeFile(), on: socket) else {
                source.cancel()
                return report()
            }
        }
        source.activate()
    }

    deinit { source.cancel() }

    /// Begins to count anew, for the next attachment.
    package func renew() { left.withLock { $0 = Self.allowance } }

    private func take() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }

    /// Sends a file, or the number of an error, negated.
    private static func answer(_ file: CInt, on socket: CInt) -> Bool {
        var byte = UInt8(clamping: -min(0, file))
        guard file >= 0 else { return thimble_send(socket, &byte, 1, nil, 0) == 1 }
        defer { close(file) }
        return thimble_send(socket, &byte, 1, [file], 1) == 1
    }
}
