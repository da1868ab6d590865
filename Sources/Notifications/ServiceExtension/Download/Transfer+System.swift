import AttachmentContainer
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    init(_ request: PictureRequest) {
        self.init(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData)
        httpMethod = request.method
        httpShouldHandleCookies = false
        httpBody = request.body
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
    }
}

extension DownloadError {
    init(_ error: any Error) {
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
