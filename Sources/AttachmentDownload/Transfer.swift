import AttachmentContainer
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One file on its way, from the first byte to its place.
final class Transfer: NSObject, URLSessionDownloadDelegate {
    typealias Outcome = Result<URL, DownloadError>

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var task: URLSessionTask?
        /// What is known before the task comes to its end.
        var outcome: Outcome?
    }

    private let target: URL
    private let settings: DownloadSettings
    private let state = Mutex(State())

    init(to target: URL, settings: DownloadSettings) {
        self.target = target
        self.settings = settings
    }

    /// Transfers the file.
    ///
    /// - Parameters:
    ///   - source: Where it is.
    ///   - time: How long it may take, in seconds.
    /// - Returns: Where it is now, or why it is not.
    func run(_ source: URL, for time: TimeInterval) async -> Outcome {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = time
        configuration.timeoutIntervalForResource = time
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        // The session holds its delegate until it is invalidated.
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return await withCheckedContinuation { continuation in
            let task = session.downloadTask(with: source)
            let isWithdrawn = state.withLock { state in
                state.continuation = continuation
                state.task = task
                return state.outcome != nil
            }
            // Cancelled before it is resumed, it comes to its end all the same.
            if isWithdrawn { task.cancel() }
            task.resume()
        }
    }

    /// Ends the transfer, unless it is at its end.
    func fail(_ error: DownloadError) {
        conclude(.failure(error))
        state.withLock { $0.task }?.cancel()
    }

    /// Settles what becomes of the transfer, unless it is settled.
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
            // Told not to go on, the task comes to its end by itself.
            conclude(.failure(error))
            completionHandler(nil)
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        // What the server announces is believed when it is too much, and checked when it is not.
        if max(totalBytesWritten, totalBytesExpectedToWrite) > settings.maximumBytes.bytes {
            fail(tooLarge)
        }
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        do throws(DownloadError) {
            conclude(.success(try take(location, downloadTask.response)))
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

    /// Moves the file to its place, since the session removes it as soon as this returns.
    private func take(_ location: URL, _ response: URLResponse?) throws(DownloadError) -> URL {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard 200..<300 ~= status else {
            throw DownloadError(.refused, reason: "the server answered with status \(status)")
        }
        do {
            try FileManager.default.moveItem(at: location, to: target)
        } catch {
            throw DownloadError(.storage, reason: "the file could not be kept", detail: "\(error)")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: target.path)
        let length = attributes?[.size] as? Int ?? 0
        guard length > 0 else { throw DownloadError(.empty, reason: "the file has no bytes") }
        guard length <= settings.maximumBytes.bytes else { throw tooLarge }
        return target
    }

    private var tooLarge: DownloadError {
        DownloadError(.tooLarge, reason: "the file is longer than \(settings.maximumBytes)")
    }
}

extension DownloadError {
    /// What the system found.
    fileprivate init(_ error: (any Error)?) {
        let code = (error as? URLError)?.code
        switch code {
        case .timedOut: self = .late
        case .cancelled: self = .cancelled
        default:
            // The system's own text may repeat the URL; the code does not.
            self.init(
                .unreachable, reason: "the server could not be reached",
                detail: code.map { "URLError \($0.rawValue)" } ?? "")
        }
    }
}
