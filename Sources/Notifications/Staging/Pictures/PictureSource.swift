import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload

/// Opens the pictures that payloads name; URLs are fetched.
struct PictureSource: Sendable {
    struct Picture: Sendable {
        let attachment: DeliveryRequest.Attachment
        /// Identity of a fetched file; nil for a local file, which is identified when it is opened.
        var identity: PictureIdentity?
        /// True if a transfer may have been necessary.
        var isFetched = false
    }

    /// The fetcher; nil to fetch nothing.
    let fetcher: AttachmentFetcher?

    /// The picture of a path, or the identity of a fresh one of a URL; nil if a transfer is necessary.
    func present(_ reference: AttachmentReference) -> Picture? {
        if let path = reference.localPath { return local(path) }
        guard reference.kind == .remoteURL,
            let identity = fetcher?.recentIdentity(reference.location)
        else { return nil }
        // Only an unknown picture is opened.
        return Picture(attachment: .none, identity: PictureIdentity(identity))
    }

    /// The picture, or the reason that it is unavailable.
    func picture(
        _ reference: AttachmentReference, by deadline: ContinuousClock.Instant
    ) async -> Picture {
        if let path = reference.localPath { return local(path) }
        guard let fetcher, reference.kind == .remoteURL else {
            return Picture(
                attachment: .unavailable(
                    DeliveryReason(
                        .unavailable,
                        reason: reference.kind == .remoteURL
                            ? "the picture is on another machine"
                            : "the picture's location is not a path on this machine")))
        }
        do throws(FetchError) {
            let file = try await fetcher.fetch(reference.location, by: deadline)
            let host = AttachmentFetcher.host(of: reference.location) ?? "URL"
            return Picture(
                attachment: .opened(try opened(file, host: host)),
                identity: PictureIdentity(file.identity),
                isFetched: true)
        } catch {
            return Picture(attachment: .unavailable(DeliveryReason(error)), isFetched: true)
        }
    }

    private func local(_ path: String) -> Picture {
        Picture(attachment: .file(URL(fileURLWithPath: path)))
    }

    private func opened(_ file: FetchedFile, host: String) throws(FetchError) -> AllowedFile {
        do {
            return try AllowedFile(try file.reopened(path: host), path: host)
        } catch {
            throw FetchError(.storage, host: host, reason: "the fetched file cannot be opened")
        }
    }
}

extension PictureIdentity {
    fileprivate init(_ file: FetchedFile.Identity) {
        self.init(location: file.url.rawValue, validators: [file.body.rawValue])
    }
}
