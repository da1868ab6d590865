import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload

/// Adds the outcome of the picture to each payload; payloads that fail pass through unchanged.
struct PayloadFilter: Sendable {
    struct Result: Sendable {
        var bytes: [UInt8] = []
        /// Empty for white space.
        var reports: [StageReport] = []

        mutating func append(_ other: Result) {
            bytes += other.bytes
            reports += other.reports
        }
    }

    enum Step: Sendable {
        case done(Result)
        case delivery(@Sendable () async -> Result)
    }

    private let container: SharedContainer
    private let stages: StageSelection
    private let options: StageOptions
    private let start: WorkerStart
    private let fetcher: AttachmentFetcher?

    /// Payloads pass through unchanged if `start` fails; without a fetcher no URL is fetched.
    init(
        _ container: SharedContainer, _ stages: StageSelection, _ options: StageOptions,
        _ start: WorkerStart, _ fetcher: AttachmentFetcher?
    ) {
        self.container = container
        self.stages = stages
        self.options = options
        self.start = start
        self.fetcher = fetcher
    }

    func step(_ piece: PayloadSplitter.Piece) -> Step {
        let payload: APNsPayload
        let line: Int
        switch piece {
        case .document(let document, let number):
            line = number
            do throws(PayloadError) {
                payload = try APNsPayload(document)
            } catch {
                return .done(
                    Result(bytes: piece.bytes, reports: [StageReport(refused: error, line: line)]))
            }
        case .refusedLines(let bytes, let lines):
            let report = piece.refusal.map { StageReport(refused: $0, lines: lines) }
            return .done(Result(bytes: bytes, reports: [report].compactMap(\.self)))
        case .refused, .verbatim:
            let report = piece.refusal.map { StageReport(refused: $0) }
            return .done(Result(bytes: piece.bytes, reports: [report].compactMap(\.self)))
        }
        let category = payload.document.value(at: Self.categoryPath)?.string
        let choice = stages.choice(for: category)
        let notes = [choice.mismatch].compactMap(\.self)
        guard let reference = payload.attachments(options.payloadStyle).first else {
            let report = StageReport(withoutPictureIn: line, notes: notes)
            return .done(Result(bytes: payload.bytes, reports: [report]))
        }
        let content = NotificationContent(
            identifier: identifier(of: payload, naming: reference), categoryIdentifier: category,
            attachments: [reference])
        return .delivery {
            guard !start.hasFailed else { return Result(bytes: payload.bytes) }
            var notes = notes
            let deadline = ContinuousClock.now + .seconds(options.deadline)
            let attachment = await attachment(reference, by: deadline)
            let answer = await choice.stage.deliver(
                DeliveryRequest(content, attachment: attachment, deadline: deadline))
            guard await start.succeeded else { return Result(bytes: payload.bytes) }
            let edited = edit(payload, reference, answer, &notes)
            return Result(
                bytes: edited.bytes, reports: [StageReport(answer, line: line, notes: notes)])
        }
    }

    private static let categoryPath = JSONPath(keys: "aps", "category")

    /// The identifier of the payload's notification in the container.
    ///
    /// Payloads with different pictures may share an SDK's identifier, so the location is added to
    /// it.
    private func identifier(
        of payload: APNsPayload, naming reference: AttachmentReference
    ) -> String {
        if let own = payload.identifier(at: [APNsPayload.ownIdentifierPath]) { return own }
        // Without any identifier, equal bytes are the same notification.
        guard let shared = payload.identifier() else {
            return ContentDigest(of: String(decoding: payload.bytes, as: UTF8.self)).rawValue
        }
        // 128 bits, so that senders cannot construct colliding locations.
        return "\(shared)#\(ContentDigest(of: reference.location).rawValue.prefix(32))"
    }

    /// The file of the picture, fetched if a URL names it, or the reason that it is unavailable.
    private func attachment(
        _ reference: AttachmentReference, by deadline: ContinuousClock.Instant
    ) async -> DeliveryRequest.Attachment {
        if let path = reference.localPath { return .file(URL(fileURLWithPath: path)) }
        guard let fetcher, reference.kind == .remoteURL else {
            return .unavailable(
                DeliveryReason(
                    .unavailable,
                    message: reference.kind == .remoteURL
                        ? "the picture is on another machine"
                        : "the picture's location is not a path on this machine",
                    remedy: "fetch it first, and name the file in the payload"))
        }
        // A quarter of the time, or two seconds, is left for the picture.
        let reserve = min(.seconds(2), .seconds(options.deadline) / 4)
        do throws(FetchError) {
            let file = try await fetcher.fetch(reference.location, by: deadline - reserve)
            return try opened(file, host: AttachmentFetcher.host(of: reference.location) ?? "URL")
        } catch {
            return .unavailable(DeliveryReason(error))
        }
    }

    private func opened(
        _ file: FetchedFile, host: String
    ) throws(FetchError) -> DeliveryRequest.Attachment {
        do {
            return .opened(try AllowedFile(try file.reopened(path: host), path: host))
        } catch {
            throw FetchError(.storage, host: host, reason: "the fetched file cannot be opened")
        }
    }

    private func edit(
        _ payload: APNsPayload, _ reference: AttachmentReference, _ answer: DeliveryAnswer,
        _ notes: inout [String]
    ) -> APNsPayload {
        let note = answer.note
        var payload = payload
        if let base = options.publishUrl, let rendition = answer.outcome.manifest?.attachment {
            let url = base + (base.hasSuffix("/") ? "" : "/") + rendition.file
            let edit = payload.replacing(
                reference, with: url, rendition: note.rendition, limit: options.payloadLimit)
            if let explanation = edit.explanation {
                notes.append(explanation)
            } else if isRecorded(rendition, &notes) {
                payload = edit.payload
            }
        }
        let edit = payload.adding(note, limit: options.payloadLimit)
        if let explanation = edit.explanation { notes.append(explanation) }
        return edit.payload
    }

    /// Records the URL before it is published, so that pruning keeps its file.
    private func isRecorded(_ rendition: Manifest.Rendition, _ notes: inout [String]) -> Bool {
        do throws(ContainerError) {
            if try container.recordPublished(rendition) { return true }
            notes.append(
                "the picture's location is unchanged: the rendition was removed; try again")
        } catch {
            notes.append("the picture's location is unchanged: \(error)")
        }
        return false
    }
}
