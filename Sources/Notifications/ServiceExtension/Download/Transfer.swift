import AttachmentContainer
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One HTTP transfer to a sink, without cookies, caches and stored credentials.
final class Transfer: NSObject, URLSessionDataDelegate {
    typealias Outcome = Result<Void, TransferFailure>

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var task: URLSessionTask?
        /// The failure, if known before the task ends.
        var failure: TransferFailure?
        /// True once the picture is whole, whatever follows.
        var isComplete = false
        var hasResponse = false
        /// True if the response announces its length.
        var hasLength = false
        /// Ends a transfer without a length whose picture is whole.
        var silence: Deadline?
        /// The frames of a camera's stream; nil for a file.
        var frames: StreamFrames?
        /// Bytes of a stream so far.
        var streamed = 0
        /// The request that the next redirection changes.
        var request: PictureRequest

        mutating func take(_ data: Data, limit: Int) -> Arrival {
            guard failure == nil, !isComplete else { return .nothing }
            guard frames != nil else { return .bytes }
            streamed += data.count
            if let frame = frames?.add(data) { return .frame(frame) }
            return streamed > limit ? .tooLong : .nothing
        }
    }

    /// The meaning of data that arrived.
    private enum Arrival {
        case nothing
        /// Of a file.
        case bytes
        /// The first whole one of a stream.
        case frame(Data)
        /// A stream over the limit without a whole frame.
        case tooLong
    }

    private let sink: any ByteSink
    private let settings: DownloadSettings
    private let readsFrames: Bool
    private let state: Lock<State>

    /// With `readsFrames`, the first whole frame of a camera's stream is the picture.
    init(
        _ request: PictureRequest, to sink: any ByteSink, settings: DownloadSettings,
        readsFrames: Bool
    ) {
        self.readsFrames = readsFrames
        self.sink = sink
        self.settings = settings
        state = Lock(State(request: request))
    }

    func run(for time: TimeInterval) async -> Outcome {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = time
        configuration.timeoutIntervalForResource = time
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        // The session retains its delegate until it is invalidated.
        let session = URLSession(
            configuration: configuration, delegate: self, delegateQueue: .forTransfers())
        defer { session.finishTasksAndInvalidate() }
        return await withCheckedContinuation { continuation in
            let (task, isCancelled) = state.withLock { state in
                let task = session.dataTask(with: URLRequest(state.request))
                state.continuation = continuation
                state.task = task
                return (task, state.failure != nil)
            }
            // A task cancelled before it is resumed still ends.
            if isCancelled { task.cancel() }
            task.resume()
        }
    }

    func fail(_ failure: TransferFailure) {
        conclude(failure)
        state.withLock { $0.task }?.cancelLater()
    }

    private func conclude(_ failure: TransferFailure) {
        state.withLock { if $0.failure == nil { $0.failure = failure } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        do throws(DownloadError) {
            try settings.check(request.url)
            let next = state.withLock { state -> PictureRequest? in
                let method = request.httpMethod ?? "GET"
                let next = request.url.flatMap { state.request.redirected(to: $0, method: method) }
                if let next { state.request = next }
                return next
            }
            guard let next else {
                throw DownloadError(
                    .insecure, reason: "a redirection would send the body to another server",
                    detail: "status \(response.statusCode)")
            }
            completionHandler(URLRequest(next))
        } catch {
            // The answer comes first: FoundationNetworking traps if the task ends before. A refused
            // redirection ends the task.
            conclude(TransferFailure(.download(error)))
            completionHandler(nil)
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let isFurtherPart = state.withLock { state in
            defer { state.hasResponse = true }
            return state.hasResponse
        }
        if isFurtherPart {
            // Apple's URLSession splits a camera's stream: the part before is whole.
            completionHandler(.allow)
            return beginPart(of: dataTask)
        }
        guard let failure = failure(of: response) else { return completionHandler(.allow) }
        conclude(failure)
        completionHandler(.cancel)
        // FoundationNetworking ignores the answer.
        dataTask.cancelLater()
    }

    private func failure(of response: URLResponse) -> TransferFailure? {
        // The first failure counts, such as a refused redirection's.
        if let failure = state.withLock({ $0.failure }) { return failure }
        let answer = response as? HTTPURLResponse
        let status = answer?.statusCode ?? 0
        guard 200..<300 ~= status else {
            return TransferFailure(
                status: status, retryAfter: answer?.value(forHTTPHeaderField: "Retry-After"),
                mayBeReadyLater: state.withLock { $0.request.waitsUntilReady })
        }
        // An announced length is trusted only if it exceeds the limit; the sink counts the bytes.
        guard response.expectedContentLength <= Int64(settings.maximumBytes.bytes) else {
            return TransferFailure(.download(.tooLarge(settings.maximumBytes)))
        }
        state.withLock { $0.hasLength = response.expectedContentLength >= 0 }
        if readsFrames, let type = answer?.value(forHTTPHeaderField: "Content-Type") {
            state.withLock { $0.frames = StreamFrames(contentType: type) }
        }
        return nil
    }

    /// Begins a part of a stream, and ends the transfer if the frame of the part before is whole.
    private func beginPart(of task: URLSessionTask) {
        let (isStream, frame) = state.withLock { state in
            state.isComplete ? (true, nil) : (state.frames != nil, state.frames?.beginPart())
        }
        if let frame {
            receive(frame)
        } else if isStream {
            return
        }
        complete(task)
    }

    /// Ends a transfer without a length when nothing follows the end of its JPEG.
    ///
    /// Some cameras leave the connection open. A second picture may follow within half a second, as in
    /// files with a gain map.
    private func completeInSilence(_ task: URLSessionTask) {
        state.withLock { state in
            guard !state.hasLength, !state.isComplete else { return }
            state.silence?.cancel()
            state.silence = Deadline(at: .now.advanced(by: .milliseconds(500))) { [weak self] in
                self?.complete(task)
            }
        }
    }

    /// Ends a transfer whose picture is whole.
    private func complete(_ task: URLSessionTask) {
        state.withLock { $0.isComplete = true }
        task.cancelLater()
    }

    private func receive(_ data: Data) {
        do throws(SourceFailure) {
            try sink.append(data)
        } catch {
            fail(TransferFailure(error))
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let limit = settings.maximumBytes
        switch state.withLock({ $0.take(data, limit: limit.bytes) }) {
        case .nothing: break
        case .bytes:
            receive(data)
            if sink.still == .whole { completeInSilence(dataTask) }
        case .frame(let frame):
            receive(frame)
            complete(dataTask)
        case .tooLong: fail(TransferFailure(.download(.tooLarge(limit))))
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        // A stream may end with its first frame.
        if error == nil, let frame = state.withLock({ $0.isComplete ? nil : $0.frames?.endPart() })
        {
            receive(frame)
        }
        let (continuation, outcome) = state.withLock { state in
            defer { state.continuation = nil }
            state.silence?.cancel()
            // A connection without a length may end in any way after the picture.
            if !state.hasLength, sink.still == .whole { state.isComplete = true }
            if state.failure == nil, !state.isComplete, let error {
                state.failure = TransferFailure(.download(DownloadError(error)))
            }
            return (state.continuation, state.failure.map { Outcome.failure($0) } ?? .success(()))
        }
        continuation?.resume(returning: outcome)
    }
}
