import AttachmentContainer
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class Transfer: NSObject, URLSessionDownloadDelegate {
    typealias Outcome = Result<URL, DownloadError>

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var task: URLSessionTask?
        /// The outcome, if known before the task ends.
        var outcome: Outcome?
    }

    private let target: URL
    private let settings: DownloadSettings
    private let state = Lock(State())

    init(to target: URL, settings: DownloadSettings) {
        self.target = target
        self.settings = settings
    }

    func run(_ source: URL, for time: TimeInterval) async -> Outcome {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = time
        configuration.timeoutIntervalForResource = time
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        // The session retains its delegate until it is invalidated.
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return await withCheckedContinuation { continuation in
            let task = session.downloadTask(with: source)
            let isCancelled = state.withLock { state in
                state.continuation = continuation
                state.task = task
                return state.outcome != nil
            }
            // A task cancelled before it is resumed still ends.
            if isCancelled { task.cancel() }
            task.resume()
        }
    }

    func fail(_ error: DownloadError) {
        conclude(.failure(error))
        state.withLock { $0.task }?.cancel()
    }

    private func conclude(_ outcome: Outcome) {
        state.withLock { if $0.outcome == nil { $0.outcome = outcome } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        do throws(DownloadError) {
            try settings.check(request.url)
            completionHandler(request)
        } catch {
            // A refused redirection ends the task.
            conclude(.failure(error))
            completionHandler(nil)
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64, totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        // An announced length is trusted only if it exceeds the limit; the real one is checked.
        if max(totalBytesWritten, totalBytesExpectedToWrite) > settings.maximumBytes.bytes {
            fail(tooLarge)
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        do throws(DownloadError) {
            conclude(.success(try move(location, downloadTask.response)))
        } catch {
            conclude(.failure(error))
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let (continuation, outcome) = state.withLock { state in
            defer { state.continuation = nil }
            let outcome = state.outcome ?? .failure(DownloadError(error))
            state.outcome = outcome
            return (state.continuation, outcome)
        }
        if case .failure = outcome { try? FileManager.default.removeItem(at: target) }
        continuation?.resume(returning: outcome)
    }

    /// Moves the file to its target, because the session removes it when the caller returns.
    private func move(_ location: URL, _ response: URLResponse?) throws(DownloadError) -> URL {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard 200..<300 ~= status else {
            throw DownloadError(.refused, reason: "the server answered with status \(status)")
        }
        do {
            try FileManager.default.moveItem(at: location, to: target)
        } catch {
            throw DownloadError(
                .storage, reason: "the file could not be stored", detail: "\(error)")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: target.path)
        let length = attributes?[.size] as? Int ?? 0
        guard length > 0 else { throw DownloadError(.empty, reason: "the file is empty") }
        guard length <= settings.maximumBytes.bytes else { throw tooLarge }
        return target
    }

    private var tooLarge: DownloadError {
        DownloadError(.tooLarge, reason: "the file is longer than \(settings.maximumBytes)")
    }
}

extension DownloadError {
    fileprivate init(_ error: (any Error)?) {
        let code = (error as? URLError)?.code
        switch code {
        case .timedOut: self = .late
        case .cancelled: self = .cancelled
        default:
            // The system's own text may contain the URL; the code does not.
            self.init(
                .unreachable, reason: "the server could not be reached",
                detail: code.map { "URLError \($0.rawValue)" } ?? "")
        }
    }
}
