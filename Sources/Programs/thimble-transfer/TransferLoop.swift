import CCurl
import Foundation
import ThimbleBasics
import TransferProtocol
import WorkerProtocol

/// Runs all transfers on the calling thread.
final class TransferLoop {
    private let multi: UnsafeMutableRawPointer
    private let setUp: SetUp
    private let writer: MessageWriter<TransferReply>
    private var reader: MessageReader<TransferOrder>
    private var transfers: [UInt64: Transfer] = [:]
    private var numbers: [UnsafeMutableRawPointer: UInt64] = [:]

    init(
        _ setUp: SetUp, _ reader: MessageReader<TransferOrder>,
        _ writer: MessageWriter<TransferReply>
    ) throws(Fault) {
        guard let multi = curl_multi_init() else {
            throw .unable("libcurl cannot start transfers", remedy: "install libcurl again")
        }
        // Idle connections: up to 75 kB each with TLS.
        _ = thimble_curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, 8)
        self.multi = multi
        self.setUp = setUp
        self.reader = reader
        self.writer = writer
    }

    /// Returns when standard input ends.
    func run() {
        // Orders may have arrived together with the configuration.
        followReceived()
        while true {
            var running: CInt = 0
            guard curl_multi_perform(multi, &running) == CURLM_OK else { _exit(1) }
            reportEnded()
            var input = curl_waitfd(
                fd: STDIN_FILENO, events: Int16(CURL_WAIT_POLLIN), revents: 0)
            // libcurl wakes earlier for its own timeouts.
            guard curl_multi_poll(multi, &input, 1, 60_000, nil) == CURLM_OK else { _exit(1) }
            guard input.revents == 0 || receive() else { return }
        }
    }

    /// False at the end of standard input.
    private func receive() -> Bool {
        do throws(FrameError) {
            guard try reader.receive() else { return false }
        } catch {
            Self.exit(error)
        }
        followReceived()
        return true
    }

    private func followReceived() {
        do throws(FrameError) {
            while let order = try reader.nextReceived() { follow(order) }
        } catch {
            Self.exit(error)
        }
    }

    private static func exit(_ error: FrameError) -> Never {
        let line = Array("unreadable message: \(error)\n".utf8)
        // Losing output that nobody reads is harmless.
        _ = write(STDERR_FILENO, line, line.count)
        _exit(2)
    }

    private func follow(_ order: MessageReader<TransferOrder>.Order) {
        switch order.message {
        case .configuration: _exit(2)
        case .begin(let request): begin(request, order.descriptors)
        case .cancel(let number):
            // Its reply may already be on its way.
            guard let transfer = transfers[number] else { return }
            end(transfer, .failure(TransferFailure(.cancelled, "it was cancelled")))
        }
    }

    private func begin(_ request: TransferRequest, _ descriptors: [CInt]) {
        let files = descriptors.map { Descriptor($0) }
        do throws(TransferFailure) {
            let transfer = try Transfer(request, files, setUp)
            guard curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
                throw TransferFailure(.storage, "libcurl refuses the transfer")
            }
            transfers[request.number] = transfer
            numbers[transfer.handle] = request.number
        } catch {
            writer.send(.ended(request.number, .failure(error)))
        }
    }

    private func reportEnded() {
        var left: CInt = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let transfer = numbers[handle].flatMap({ transfers[$0] })
            else { continue }
            end(transfer, transfer.outcome(of: thimble_curl_result(message)))
        }
    }

    private func end(_ transfer: Transfer, _ outcome: TransferOutcome) {
        // Before the handle is cleaned up with the transfer.
        _ = curl_multi_remove_handle(multi, transfer.handle)
        numbers[transfer.handle] = nil
        transfers[transfer.request.number] = nil
        writer.send(.ended(transfer.request.number, outcome))
    }
}

/// A received descriptor, closed on deinitialisation.
final class Descriptor {
    let number: CInt

    init(_ number: CInt) { self.number = number }

    deinit { close(number) }
}
