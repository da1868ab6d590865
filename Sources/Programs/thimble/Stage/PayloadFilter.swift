import NotificationPayload
import NotificationStaging

/// Adds the outcome of the picture to each payload; payloads that fail pass through unchanged.
struct PayloadFilter: Sendable {
    typealias Queue = OutputQueue<StageReport>

    enum Step: Sendable {
        case done(Queue.Output)
        case delivery(@Sendable (Queue.Place) async -> Queue.Output)
    }

    private let stager: PayloadStager
    private let start: WorkerStart
    private let logsWholeURLs: Bool

    /// Payloads pass through unchanged if `start` fails.
    init(_ stager: PayloadStager, _ start: WorkerStart, logsWholeURLs: Bool) {
        self.stager = stager
        self.start = start
        self.logsWholeURLs = logsWholeURLs
    }

    func step(_ piece: PayloadSplitter.Piece) -> Step {
        switch piece {
        case .document(let document, let line):
            do throws(PayloadError) {
                return step(try stager.plan(document), line: line)
            } catch {
                return .done(Queue.Output(piece, StageReport(refused: error, line: line)))
            }
        case .refusedLines(_, let lines):
            return .done(
                Queue.Output(piece, piece.refusal.map { StageReport(refused: $0, lines: lines) }))
        case .refused, .verbatim:
            return .done(Queue.Output(piece, piece.refusal.map { StageReport(refused: $0) }))
        }
    }

    private func step(_ plan: PayloadPlan, line: Int) -> Step {
        if plan.references.isEmpty || start.hasSucceeded, let known = stager.known(plan) {
            return .done(output(known, line: line))
        }
        return .delivery { place in
            let unchanged = Queue.Output(bytes: plan.payload.bytes)
            guard !start.hasFailed else { return unchanged }
            let staged = await stager.stage(plan, by: .now + stager.settings.deadline) {
                need, work in
                if need == .none { place.giveBack() }
                await work()
            }
            return await start.succeeded ? output(staged, line: line) : unchanged
        }
    }

    private func output(_ staged: StagedPayload, line: Int) -> Queue.Output {
        Queue.Output(
            bytes: staged.payload.bytes,
            reports: [StageReport(staged, line: line, wholeURLs: logsWholeURLs)])
    }
}

extension PayloadOutput<StageReport> {
    fileprivate init(_ piece: PayloadSplitter.Piece, _ report: StageReport?) {
        self.init(bytes: piece.bytes, reports: [report].compactMap(\.self))
    }
}
