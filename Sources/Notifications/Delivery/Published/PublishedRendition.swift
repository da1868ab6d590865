public import AttachmentContainer
public import Foundation
public import NotificationPayload

/// A rendition that a server published, as its payload names it.
///
/// The payload's location is its URL, and the note has its digest, size and placeholder. All of them
/// may be a stranger's: the file counts only if its bytes have the digest.
public struct PublishedRendition: Sendable, Hashable {
    /// The URL from which devices get the rendition.
    public let url: URL
    /// The digest of the rendition's bytes.
    public let digest: ContentDigest
    /// The note that names the rendition.
    public let note: DeliveryNote

    /// Finds the rendition that a notification's note names; nil without one at a URL.
    ///
    /// - Parameters:
    ///   - notification: The notification as received.
    ///   - notePath: The path of the note. The default is `thimble`.
    public init?(
        of notification: NotificationContent, notePath: JSONPath = APNsPayload.notePath
    ) {
        guard let note = DeliveryNote(userInfo: notification.userInfo, at: notePath),
            let file = note.rendition?.file,
            let digest = ContentDigest(
                rawValue: file.split(separator: "/").last.map { String($0.prefix { $0 != "." }) }
                    ?? ""),
            notification.attachments.indices.contains(note.index)
        else { return nil }
        let attachment = notification.attachments[note.index]
        guard attachment.kind == .remoteURL, let url = URL(string: attachment.location) else {
            return nil
        }
        (self.url, self.digest, self.note) = (url, digest, note)
    }
}
