import AttachmentContainer
import Foundation
import NotificationDelivery
import NotificationPayload

/// Payload in, payload out, whatever happens.
struct PayloadFilter: Sendable {
    /// What became of one stretch of the stream.
    struct Result: Sendable {
        /// What goes out.
        let bytes: [UInt8]
        /// What is said of it; nil for white space.
        let report: StageReport?
    }

    private let stages: StageSelection
    private let options: StageOptions

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - stages: What delivers.
    ///   - options: Where payloads name their pictures, and how long they may get.
    init(_ stages: StageSelection, _ options: StageOptions) {
        self.stages = stages
        self.options = options
    }

    /// Filters a stretch of the stream.
    ///
    /// - Parameter piece: The stretch.
    /// - Returns: What goes out, which for all but payloads is what came in.
    func callAsFunction(_ piece: PayloadSplitter.Piece) async -> Result {
        switch piece {
        case .verbatim(let bytes): Result(bytes: bytes, report: nil)
        case .refused(let bytes, let error):
            Result(bytes: bytes, report: StageReport(refused: error))
        case .document(let document, let line): await filtered(document, line)
        }
    }

    private func filtered(_ document: JSONDocument, _ line: Int) async -> Result {
        let payload: APNsPayload
        do throws(PayloadError) {
            payload = try APNsPayload(document)
        } catch {
            return Result(bytes: document.bytes, report: StageReport(refused: error, line: line))
        }
        // Payloads rarely carry an identifier: the same bytes are the same notification then.
        let identifier =
            payload.identifier()
            ?? ContentDigest(of: String(decoding: payload.bytes, as: UTF8.self)).rawValue
        let content = payload.content(identifier: identifier, style: options.payloadStyle)
        let reference = content.attachments.first
        let choice = stages.choice(for: content.categoryIdentifier)
        let answer = await choice.stage.deliver(
            DeliveryRequest(content, attachment: attachment(reference)))
        var notes: [String] = []
        if let mismatch = choice.mismatch { notes.append(mismatch) }
        let edited = edit(payload, reference, answer, &notes)
        return Result(
            bytes: edited.bytes, report: StageReport(answer, line: line, notes: notes))
    }

    /// Where the picture of a notification is.
    private func attachment(_ reference: AttachmentReference?) -> DeliveryRequest.Attachment {
        guard let reference else { return .none }
        if let path = reference.localPath { return .file(URL(fileURLWithPath: path)) }
        return .unavailable(
            DeliveryReason(
                .unavailable,
                message: reference.kind == .remoteURL
                    ? "the picture is on another machine"
                    : "the picture's place is no path of this machine",
                remedy: "fetch it first, and name the file in the payload"))
    }

    /// Writes what became of the picture into the payload, if there was one.
    private func edit(
        _ payload: APNsPayload, _ reference: AttachmentReference?, _ answer: DeliveryAnswer,
        _ notes: inout [String]
    ) -> APNsPayload {
        guard let reference else { return payload }
        var payload = payload
        if let base = options.publishUrl, let manifest = answer.outcome.manifest,
            let rendition = manifest.attachment
        {
            let url = base + (base.hasSuffix("/") ? "" : "/") + rendition.file
            let edit = payload.replacing(reference, with: url, limit: options.payloadLimit)
            payload = edit.payload
            if let explanation = edit.explanation { notes.append(explanation) }
        }
        let edit = payload.adding(answer.note, limit: options.payloadLimit)
        if let explanation = edit.explanation { notes.append(explanation) }
        return edit.payload
    }
}
