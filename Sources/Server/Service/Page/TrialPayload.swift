import AttachmentFetch
import AttachmentModel
import NotificationCheck
import NotificationPayload
import NotificationPreview

/// A payload of a trial: its texts, its findings, and its picture.
struct TrialPayload: Sendable {
    private let bytes: [UInt8]
    private let style: PayloadStyle
    private let payload: Result<APNsPayload, PayloadError>

    init(_ bytes: [UInt8], style: PayloadStyle, limits: JSONLimits) {
        self.bytes = bytes
        self.style = style
        do throws(PayloadError) {
            payload = .success(try APNsPayload(parsing: bytes, limits: limits))
        } catch {
            payload = .failure(error)
        }
    }

    /// The texts, and the findings of a check that opens no file.
    func describe(in answer: inout TrialAnswer) async {
        if let content { answer.notification = PreviewText(content) }
        var input = CheckInput()
        input.payloads = [.bytes(bytes, name: "payload", folder: "/")]
        input.payloadStyle = style
        // A path of a stranger's payload is never opened, so that nobody learns which files exist.
        let report = try? await ProjectCheck(input).run {
            path throws(AttachmentError) -> InspectedAttachment in
            throw AttachmentError(.unreadable, file: path, reason: "it is not opened here")
        }
        answer.findings = report?.findings
        answer.unchecked = report?.unchecked
    }

    /// The picture's file; nil for a payload without a picture.
    func picture(
        _ fetcher: AttachmentFetcher?, until deadline: ContinuousClock.Instant
    ) async throws(Problem) -> AttachmentFile? {
        if case .failure(let error) = payload { throw Problem(error) }
        guard let attachment = content?.attachments.first else { return nil }
        guard attachment.kind == .remoteURL else { throw .localPicture }
        guard let fetcher else { throw .noURLs }
        do throws(FetchError) {
            let file = try await fetcher.fetch(attachment.location, by: deadline)
            do throws(AttachmentError) {
                return try file.attachment(path: "download")
            } catch {
                throw FetchError(.storage, reason: error.reason)
            }
        } catch {
            throw Problem(error)
        }
    }

    private var content: NotificationContent? {
        try? payload.get().content(identifier: "", style: style)
    }
}

extension Problem {
    fileprivate static let localPicture = Problem(
        422, "local-picture", "Attachment not opened",
        detail: "the payload names a file, which the page does not open",
        remedy: "drop the picture itself, or name an https URL")
}
