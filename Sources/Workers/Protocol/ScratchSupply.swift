internal import AttachmentContainer
internal import CSystemCalls
internal import Dispatch
internal import Foundation

/// Supplies scratch files from a libdispatch thread; a worker beyond ``allowance`` is reported.
package final class ScratchSupply: Sendable {
    /// Files per attachment: a grid of 4096 tiles with one file each.
    package static let allowance = 4096

    // Set before any other thread exists; cancelling is safe from every thread.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private let remaining = Lock(allowance)

    package static func pair<Failure: Error>(
        makeFile: @escaping @Sendable () throws(Failure) -> CInt,
        report: @escaping @Sendable () -> Void
    ) throws(MessageError) -> (own: ScratchSupply, worker: CInt) {
        let (own, worker) = try MessageSocket.ends()
        let make = { @Sendable () -> CInt in
            do throws(Failure) {
                return try makeFile()
            } catch {
                // 0 would mean success.
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
            // Workers wait for each answer, so two queued requests are a violation.
            guard count == 1, consumeAllowance(), Self.answer(makeFile(), on: socket) else {
                source.cancel()
                return report()
            }
        }
        source.activate()
    }

    deinit { source.cancel() }

    package func renew() { remaining.withLock { $0 = Self.allowance } }

    private func consumeAllowance() -> Bool {
        remaining.withLock { remaining in
            remaining -= 1
            return remaining >= 0
        }
    }

    private static func answer(_ file: CInt, on socket: CInt) -> Bool {
        var byte = UInt8(clamping: -min(0, file))
        guard file >= 0 else { return thimble_send(socket, &byte, 1, nil, 0) == 1 }
        defer { close(file) }
        return thimble_send(socket, &byte, 1, [file], 1) == 1
    }
}
