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
        case delivery(@Sendable (OutputQueue.Place) async -> Result)
    }

    /// Maximum number of attachments of a payload that are processed; an SDK shows one to five.
    private static let maximumAttachments = 10

    private let stages: StageSelection
    private let options: StageOptions
    private let start: WorkerStart
    private let publishing: RenditionPublishing
    private let editor: PayloadEditor
    private let pictures: PictureSource

    /// Payloads pass through unchanged if `start` fails; without a fetcher no URL is fetched.
    init(
        _ stages: StageSelection, _ options: StageOptions, _ start: WorkerStart,
        _ fetcher: AttachmentFetcher?, _ publishing: RenditionPublishing
    ) {
        self.stages = stages
        self.options = options
        self.start = start
        self.publishing = publishing
        editor = PayloadEditor(publishing, options)
        pictures = PictureSource(fetcher: fetcher, deadline: .seconds(options.deadline))
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
            if let publications = publishing.known(answers) {
                return .done(editor.result(of: staged, answers, publications))
            }
        }
        return .delivery { place in
            guard !start.hasFailed else { return Result(bytes: payload.bytes) }
            let deadline = ContinuousClock.now + .seconds(options.deadline)
            let reserve = publishing.reserve(of: .seconds(options.deadline))
            let answers = await deliver(
                staged, through: choice.stage, by: deadline - reserve, place)
            guard await start.succeeded else { return Result(bytes: payload.bytes) }
            let publications = await publishing.publish(answers, by: deadline)
            return editor.result(of: staged, answers, publications)
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
            guard let picture = pictures.present(reference),
                let answer = stage.knownAnswer(
                    to: request(reference, of: staged, picture, by: nil))
            else { return nil }
            answers.append(answer)
        }
        return answers
    }

    private func deliver(
        _ staged: StagedPayload, through stage: DeliveryStage,
        by deadline: ContinuousClock.Instant, _ place: OutputQueue.Place
    ) async -> [DeliveryAnswer] {
        let requests = await requests(for: staged, by: deadline)
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

    /// The requests, once all pictures that URLs name are fetched.
    private func requests(
        for staged: StagedPayload, by deadline: ContinuousClock.Instant
    ) async -> [DeliveryRequest] {
        await withTaskGroup(of: (Int, PictureSource.Picture).self) { group in
            for (index, reference) in staged.references.enumerated() {
                group.addTask { (index, await pictures.picture(reference, by: deadline)) }
            }
            var found: [Int: PictureSource.Picture] = [:]
            for await (index, picture) in group { found[index] = picture }
            return staged.references.enumerated().compactMap { index, reference in
                found[index].map { request(reference, of: staged, $0, by: deadline) }
            }
        }
    }

    private func request(
        _ reference: AttachmentReference, of staged: StagedPayload,
        _ picture: PictureSource.Picture, by deadline: ContinuousClock.Instant?
    ) -> DeliveryRequest {
        let isNamed = options.manifestPerNotification
        var request = DeliveryRequest(
            NotificationContent(
                identifier: isNamed
                    ? staged.identifier(naming: reference, noteKey: options.noteKey.path) : "",
                categoryIdentifier: staged.category, attachments: [reference]),
            attachment: picture.attachment, deadline: deadline)
        request.naming = isNamed ? .notification : .picture
        request.identity = picture.identity
        return request
    }
}
