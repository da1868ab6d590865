import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import NotificationDelivery
import NotificationPayload

/// Problems of attachments and payloads.
extension Problem {
    /// The error's file and detail are omitted.
    init(_ error: AttachmentError) {
        let status: Int
        var fields: [(String, String)] = []
        switch error.code {
        case .tooLarge, .mediaTooLarge: status = 413
        case .storage, .service:
            status = 503
            fields = [("retry-after", "30")]
        case .cancelled:
            status = 503
            fields = [("retry-after", "1")]
        default: status = 422
        }
        self.init(
            status, "Attachment not processed", error.fault, fields: fields)
        label = error.code.rawValue
    }

    /// The location takes the place of the error's host.
    init(_ error: FetchError, at location: String? = nil) {
        let isOurs = [.storage, .cancelled, .fetcherLost].contains(error.code)
        self.init(
            isOurs ? 503 : 422, "Attachment not fetched", error.fault,
            fields: isOurs ? [("retry-after", "5")] : [])
        self.location = location
    }

    /// A rendition that could not be published.
    init(_ reason: DeliveryReason) {
        self.init(
            503, reason.code.rawValue, "Rendition not published", detail: reason.message,
            remedy: reason.remedy, fields: [("retry-after", "5")])
        domain = reason.fault.domain
    }

    init(_ error: PayloadError) {
        self.init(error.code == .tooLarge ? 413 : 422, "Invalid payload", error.fault)
    }

    /// The error's path is omitted.
    init(_ error: ContainerError) {
        self.init(
            503, "container", "Container unavailable",
            detail: "the container cannot be used", remedy: error.fault.remedy,
            fields: [("retry-after", "30")])
    }

    static let noURLs = Problem(
        422, "fetching-unavailable", "Fetching unavailable",
        detail: "this service does not fetch attachments by URL",
        remedy: "send the attachment's bytes, or start the service without --no-fetch")
    static let noAttachment = Problem(
        404, "unknown-attachment", "Unknown attachment",
        detail: "the container has no attachment under this identifier",
        remedy: "process it with POST /v1/attachments")
}
