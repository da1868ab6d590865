import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationPayload

extension Project {
    func checkAttachments(inspecting inspect: Inspect) async throws(AttachmentError) -> [Finding] {
        var findings: [Finding] = []
        for notification in notifications {
            for attachment in notification.content.attachments {
                if let fault = try await fault(in: attachment, of: notification, inspect) {
                    findings.append(fault)
                }
            }
            // The picture may already be in the container.
            if notification.content.attachments.isEmpty, !hasPictureSource,
                notification.identifier.flatMap({ try? container?.manifest(for: $0) }) == nil
            {
                findings.append(missingMediaKey(of: notification))
            }
        }
        return findings
    }

    typealias Inspect = (String) async throws(AttachmentError) -> InspectedAttachment

    private func missingMediaKey(of notification: Notification) -> Finding {
        let style = input.payloadStyle
        let what =
            style == .auto
            ? "the payload names no attachment under any known key"
            : "the payload names no attachment in the style \(style.name.quoted)"
        return Finding(
            .missingMediaKey, what, at: notification.place(),
            remedy: style == .auto
                ? "name it in thimble.media, or give its path as the payload style"
                : "correct the payload style, or omit it")
    }

    private func fault(
        in attachment: AttachmentReference, of notification: Notification, _ inspect: Inspect
    ) async throws(AttachmentError) -> Finding? {
        let place = notification.place(attachment.path?.description)
        guard attachment.kind != .remoteURL else {
            return attachment.location.lowercased().hasPrefix("https://")
                ? nil
                : Finding(.insecureMedia, "the attachment's URL is not https", at: place)
        }
        guard let path = attachment.localPath else {
            return Finding(.missingAttachment, "the attachment is on another machine", at: place)
        }
        let url = URL(
            fileURLWithPath: path,
            relativeTo: URL(fileURLWithPath: notification.folder, isDirectory: true))
        return try await fault(inFile: url, at: place, inspect)
    }

    private func fault(
        inFile url: URL, at place: Place, _ inspect: Inspect
    ) async throws(AttachmentError) -> Finding? {
        do throws(AttachmentError) {
            switch try await inspect(url.path).content {
            case .picture(let header): return fault(in: header, of: url, at: place)
            case .media(let header): return fault(in: header, of: url, at: place)
            }
        } catch {
            switch error.code {
            case .storage, .cancelled: throw error
            case .unreadable:
                return Finding(
                    .missingAttachment, "the attachment is not a readable file", at: place)
            case .unsupported, .empty: return notAccepted(error.reason, at: place)
            default:
                return Finding(
                    .damagedAttachment, "the attachment is damaged: \(error.reason)", at: place)
            }
        }
    }

    private func fault(in header: PictureSummary, of url: URL, at place: Place) -> Finding? {
        let extensions: [String]
        switch header.format {
        case .jpeg: extensions = ["jpg", "jpeg"]
        case .png: extensions = ["png"]
        case .gif: extensions = ["gif"]
        default:
            return Finding(
                .pictureFormat,
                "the attachment is \(header.format.rawValue), which the system does not accept",
                at: place)
        }
        // The limit for renditions is the system's limit for pictures.
        let limit = ProcessingSettings().maximumBytes
        return tooLong(header.fileBytes, limit, .pictureTooLarge, at: place)
            ?? misnamed(url, extensions, at: place)
    }

    private func notAccepted(_ reason: String, at place: Place) -> Finding {
        Finding(
            .attachmentType, "the system does not accept this type of attachment: \(reason)",
            at: place)
    }

    private func fault(in header: MediaHeader, of url: URL, at place: Place) -> Finding? {
        if let obstacle = header.obstacle { return notAccepted(obstacle, at: place) }
        let extensions =
            switch header.type {
            case .aiff: ["aiff", "aif", "aifc"]
            case .wav: ["wav", "wave"]
            case .mp3: ["mp3"]
            case .mpeg4Audio: ["m4a"]
            case .mpeg: ["mpg", "mpeg"]
            case .mpeg2Video: ["m2v", "mpg", "mpeg"]
            case .mpeg4: ["mp4", "m4v"]
            case .avi: ["avi"]
            }
        let limit = MediaLimits().limit(for: header.type.kind)
        return tooLong(header.fileBytes, limit, .mediumTooLarge, at: place)
            ?? misnamed(url, extensions, at: place)
    }

    private func tooLong(
        _ length: ByteCount, _ limit: ByteCount, _ code: CheckReport.Code, at place: Place
    ) -> Finding? {
        guard length > limit else { return nil }
        return Finding(
            code, "the attachment has \(length); the system accepts at most \(limit)", at: place)
    }

    private func misnamed(_ url: URL, _ extensions: [String], at place: Place) -> Finding? {
        guard !extensions.contains(url.pathExtension.lowercased()) else { return nil }
        return Finding(
            .fileExtension,
            "the attachment's name must end in .\(extensions[0]) to tell its type", at: place)
    }
}
