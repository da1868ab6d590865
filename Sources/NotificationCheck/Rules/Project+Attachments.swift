import AttachmentContainer
import ExtensionProfile
import Foundation
import NotificationPayload

extension Project {
    /// Whether payloads name attachments, and the system takes them.
    func checkAttachments() -> [CheckReport.Finding] {
        notifications.flatMap { notification in
            let attachments = notification.content.attachments
            guard attachments.isEmpty else {
                return attachments.compactMap { fault(in: $0, of: notification) }
            }
            // The picture may have been published already.
            let identifier = notification.identifier
            guard identifier.flatMap({ try? container?.manifest(for: $0) }) == nil else {
                return []
            }
            return [missingMediaKey(of: notification)]
        }
    }

    private func missingMediaKey(of notification: Notification) -> CheckReport.Finding {
        let style = input.payloadStyle
        let what =
            style == .auto
            ? "the payload names no attachment by any key that is known"
            : "the payload names no attachment where \(style.name.quoted) does"
        return CheckReport.Finding(
            .missingMediaKey, what, at: notification.place(),
            remedy: style == .auto
                ? "name it in thimble.media, or say where it is with "
                    + CheckFlag.payloadStyle.rawValue
                : "correct \(CheckFlag.payloadStyle.rawValue), or leave it out")
    }

    private func fault(
        in attachment: AttachmentReference, of notification: Notification
    ) -> CheckReport.Finding? {
        let place = notification.place(attachment.path?.description)
        guard attachment.kind != .remoteURL else {
            return attachment.location.lowercased().hasPrefix("https://")
                ? nil
                : CheckReport.Finding(.insecureMedia, "the attachment is not on https", at: place)
        }
        guard let path = attachment.localPath else {
            return CheckReport.Finding(
                .missingAttachment, "the attachment is on another machine", at: place)
        }
        let url = URL(
            fileURLWithPath: path,
            relativeTo: URL(fileURLWithPath: notification.folder, isDirectory: true))
        guard let file = FileStart(path: url.path) else {
            return CheckReport.Finding(
                .missingAttachment, "the attachment is no file that can be read", at: place)
        }
        return fault(in: file, extension: url.pathExtension.lowercased(), at: place)
    }

    private func fault(
        in file: FileStart, extension name: String, at place: CheckReport.Place
    ) -> CheckReport.Finding? {
        let (kind, extensions) = FileKind.kind(of: file.bytes)
        switch kind {
        case .other:
            return CheckReport.Finding(
                .attachmentType, "the attachment is of no type that the system takes", at: place)
        case .foreignPicture(let format):
            return CheckReport.Finding(
                .pictureFormat, "the attachment is \(format), which the system does not take",
                at: place)
        case .picture, .sound, .movie:
            guard file.length <= kind.limit else {
                return CheckReport.Finding(
                    kind == .picture ? .pictureTooLarge : .mediumTooLarge,
                    "the attachment has \(file.length), and the system takes \(kind.limit)",
                    at: place)
            }
            guard !extensions.contains(name) else { return nil }
            return CheckReport.Finding(
                .fileExtension,
                "the attachment's name must end in .\(extensions.first ?? "") to tell its type",
                at: place)
        }
    }
}

/// The first bytes of a regular file, and its length.
private struct FileStart {
    let bytes: [UInt8]
    let length: ByteCount

    /// Reads them; nil when there is no regular file that this process may read.
    init?(path: String) {
        // Without O_NONBLOCK the opening of a FIFO waits for a writer that may never come.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        length = ByteCount(Int(status.st_size))
        bytes = [UInt8](unsafeUninitializedCapacity: 12) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
        }
    }
}
