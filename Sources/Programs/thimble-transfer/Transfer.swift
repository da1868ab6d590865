import CCurl
import Foundation
import TransferProtocol

/// One exchange with a server.
final class Transfer {
    /// Body bytes that are dropped before the connection is given up instead.
    private static let patience = 16 << 10

    let request: TransferRequest
    /// libcurl's easy handle; cleaned up on deinitialisation.
    let handle: UnsafeMutableRawPointer
    let addresses: AddressGuard?
    /// Earlier than libcurl's own start, so that its limits never seem to end too early.
    let begun = ContinuousClock.now
    private let output: Descriptor
    private let body: Descriptor?
    var head = ResponseHead()
    private var stored = 0
    private var dropped = 0
    private var sent = 0
    /// A fault found by a callback, which ends the transfer.
    var fault: TransferFailure?
    /// The last address or port that was refused; another address of the host may serve.
    var refusal: TransferFailure?
    /// True if the rest of an unwanted body is not awaited.
    private var hasEnough = false
    /// Header lists, which libcurl does not copy.
    var lists: [UnsafeMutablePointer<curl_slist>] = []

    init(
        _ request: TransferRequest, _ files: [Descriptor], _ setUp: SetUp
    ) throws(TransferFailure) {
        guard let output = files.first, let handle = curl_easy_init() else {
            throw TransferFailure(.storage, "out of memory")
        }
        self.request = request
        self.handle = handle
        self.output = output
        body = files.count > 1 ? files[1] : nil
        addresses = setUp.addresses
        try configure(authorities: setUp.authorities)
    }

    deinit {
        curl_easy_cleanup(handle)
        for list in lists { curl_slist_free_all(list) }
    }

    private var storesBody: Bool {
        request.storedStatuses?.contains(head.status) ?? true
    }

    /// Takes a header line; false ends the transfer.
    func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        guard head.add(line, reporting: request.reportedHeaders) else {
            return fail(.malformed, "the response's headers are too long")
        }
        guard head.isComplete, storesBody, request.method != .head else { return true }
        if let encoding = head.encoding, encoding != "identity" {
            return fail(.encoded, "the server encoded the body, which was not asked for")
        }
        guard head.announcedBytes ?? 0 <= request.maximumBytes else { return failAsTooLarge() }
        return true
    }

    /// Takes a part of the body; false ends the transfer.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard storesBody else {
            dropped += bytes.count
            hasEnough = dropped > Self.patience
            return !hasEnough
        }
        guard stored + bytes.count <= request.maximumBytes else { return failAsTooLarge() }
        var rest = bytes
        while !rest.isEmpty {
            let count = write(output.number, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                return fail(.storage, "the file cannot be written: " + Self.systemError)
            }
            stored += count
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    /// Supplies a part of the request's body; nil on failure.
    func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let body, let length = request.bodyLength else { return 0 }
        let wanted = min(buffer.count, length - sent)
        guard wanted > 0 else { return 0 }
        let count = pread(body.number, buffer.baseAddress, wanted, off_t(sent))
        guard count > 0 else {
            _ = fail(.storage, "the body became shorter while it was sent")
            return nil
        }
        sent += count
        return count
    }

    /// Starts the request's body again at an offset.
    func seek(to offset: Int) -> Bool {
        guard 0...(request.bodyLength ?? 0) ~= offset else { return false }
        sent = offset
        return true
    }

    func outcome(of code: CURLcode) -> TransferOutcome {
        if let fault { return .failure(fault) }
        guard code == CURLE_OK || hasEnough else { return .failure(failure(code)) }
        return .response(
            TransferResponse(status: head.status, headers: head.reported, bytes: stored))
    }

    private func failAsTooLarge() -> Bool {
        fail(.tooLarge, "the body is longer than the limit")
    }

    private func fail(_ code: TransferFailure.Code, _ reason: String) -> Bool {
        fault = fault ?? TransferFailure(code, reason)
        return false
    }

    private static var systemError: String { String(cString: strerror(errno)) }
}
