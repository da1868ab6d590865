import AttachmentContainer
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
        case delivery(@Sendable (OutputQueue.Place) async -> Result)
    }

    /// Maximum number of attachments of a payload that are processed; an SDK shows one to five.
    private static let maximumAttachments = 10

    private let stages: StageSelection
    private let options: StageOptions
    private let start: WorkerStart
    private let editor: PayloadEditor

    /// Payloads pass through unchanged if `start` fails.
    init(
        _ container: SharedContainer, _ stages: StageSelection, _ options: StageOptions,
        _ start: WorkerStart
    ) {
        self.stages = stages
        self.options = options
        self.start = start
        editor = PayloadEditor(container, options)
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
        var notes = [choice.mismatch].compactMap(\.self)
        var references = payload.attachments(options.payloadStyle)
        guard !references.isEmpty else {
            let report = StageReport(withoutPictureIn: line, notes: notes)
            return .done(Result(bytes: payload.bytes, reports: [report]))
        }
        if references.count > Self.maximumAttachments {
            notes.append(
                "only the first \(Self.maximumAttachments) of \(references.count) attachments are "
                    + "processed")
            references.removeLast(references.count - Self.maximumAttachments)
        }
        let staged = StagedPayload(
            payload: payload, line: line, category: category, references: references, notes: notes)
        if start.hasSucceeded, let answers = knownAnswers(to: staged, choice.stage) {
            return .done(editor.result(of: staged, answers))
        }
        return .delivery { place in
            guard !start.hasFailed else { return Result(bytes: payload.bytes) }
            let answers = await deliver(staged, through: choice.stage, place)
            guard await start.succeeded else { return Result(bytes: payload.bytes) }
            return editor.result(of: staged, answers)
        }
    }

    private static let categoryPath = JSONPath(keys: "aps", "category")

    /// The answers if all pictures are known.
    private func knownAnswers(
        to staged: StagedPayload, _ stage: DeliveryStage
    ) -> [DeliveryAnswer]? {
        guard !options.manifestPerNotification else { return nil }
        var answers: [DeliveryAnswer] = []
        for reference in staged.references {
            guard let path = reference.localPath,
                let answer = stage.knownAnswer(
                    to: request(
                        reference, of: staged, .file(URL(fileURLWithPath: path)), by: nil))
            else { return nil }
            answers.append(answer)
        }
        return answers
    }

    private func deliver(
        _ staged: StagedPayload, through stage: DeliveryStage, _ place: OutputQueue.Place
    ) async -> [DeliveryAnswer] {
        let deadline = ContinuousClock.now + .seconds(options.deadline)
        let requests = staged.references.map {
            request($0, of: staged, attachment($0), by: deadline)
        }
        if requests.allSatisfy(stage.isInProgress) { await place.giveBack() }
        guard requests.count > 1 else {
            return requests.isEmpty ? [] : [await stage.deliver(requests[0])]
        }
        return await withTaskGroup(of: (Int, DeliveryAnswer).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, await stage.deliver(request)) }
            }
            var answers: [Int: DeliveryAnswer] = [:]
            for await (index, answer) in group { answers[index] = answer }
            return requests.indices.compactMap { answers[$0] }
        }
    }

    private func request(
        _ reference: AttachmentReference, of staged: StagedPayload,
        _ attachment: DeliveryRequest.Attachment, by deadline: ContinuousClock.Instant?
    ) -> DeliveryRequest {
        let isNamed = options.manifestPerNotification
        var request = DeliveryRequest(
            NotificationContent(
                identifier: isNamed
                    ? staged.identifier(naming: reference, noteKey: options.noteKey.path) : "",
                categoryIdentifier: staged.category, attachments: [reference]),
            attachment: attachment, deadline: deadline)
        request.naming = isNamed ? .notification : .picture
        return request
    }

    /// The file of the picture, or the reason that it is unavailable.
    private func attachment(_ reference: AttachmentReference) -> DeliveryRequest.Attachment {
        if let path = reference.localPath { return .file(URL(fileURLWithPath: path)) }
        return .unavailable(
            DeliveryReason(
                .unavailable,
                message: reference.kind == .remoteURL
                    ? "the picture is on another machine"
                    : "the picture's location is not a path on this machine",
                remedy: "fetch it first, and name the file in the payload"))
    }
}
