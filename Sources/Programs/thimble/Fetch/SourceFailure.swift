import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import AttachmentStore
import NotificationDelivery
import NotificationStaging

/// Failure to fetch, to process or to publish an attachment.
struct SourceFailure: Error, Sendable {
    let code: String
    /// The file, or the host of its URL.
    let name: String
    let fault: Fault

    init(_ error: AttachmentError) {
        code = error.fault.code
        name = error.file
        fault = error.fault
    }

    init(_ error: FetchError) {
        code = error.fault.code
        name = error.host.isEmpty ? "URL" : error.host
        fault = error.fault
    }

    init(_ reason: DeliveryReason, name: String) {
        code = reason.code.rawValue
        self.name = name
        fault = reason.fault
    }

    var reason: String { fault.reason }

    /// The remedy with the command's options for it.
    var remedy: String { fault.remedyWithOptions }

    var isCancellation: Bool { fault.code == AttachmentError.Code.cancelled.rawValue }

    /// True if the container could not store the renditions.
    var isStorageFailure: Bool {
        fault.domain == .attachment && fault.code == AttachmentError.Code.storage.rawValue
    }

    /// Name, reason and remedy, in one line.
    var message: String { "\(name): \(reason); \(remedy)" }
}

extension AttachmentError {
    /// File, reason, and the remedy with the command's options.
    var message: String { SourceFailure(self).message }
}
