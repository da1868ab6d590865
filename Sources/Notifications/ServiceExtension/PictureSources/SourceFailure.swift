package import AttachmentContainer
package import AttachmentDecryption
package import NotificationDelivery

/// A failure to get a picture.
package enum SourceFailure: Error {
    case download(DownloadError)
    case decryption(DecryptionError)
    /// A fault of the app's own.
    case other(Fault)

    /// The failure of an app's code, whose text may be private unless it is a fault.
    package init(_ error: any Error) {
        switch error {
        case let failure as SourceFailure: self = failure
        case let error as DownloadError: self = .download(error)
        case let error as DecryptionError: self = .decryption(error)
        case let error as any FaultConvertible: self = .other(error.fault)
        case is CancellationError: self = .download(.cancelled)
        default:
            self = .download(
                DownloadError(.source, reason: "the app's source of the picture failed"))
        }
    }

    /// True if the picture was not ready in time.
    var isNotReady: Bool { code == .notReady }

    /// True if the connection failed.
    var isLostConnection: Bool { code == .unreachable }

    private var code: DownloadError.Code? {
        guard case .download(let error) = self else { return nil }
        return error.code
    }

    package var reason: DeliveryReason {
        switch self {
        case .download(let error): DeliveryReason(error)
        case .decryption(let error): DeliveryReason(error.fault)
        case .other(let fault): DeliveryReason(fault)
        }
    }
}
