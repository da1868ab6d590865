import NotificationPayload

/// Reports of a stream; consecutive refused lines share one report.
struct ReportList {
    private let emit: (StageReport) -> Void
    /// A report of refused lines that the next line may extend.
    private var open: StageReport?
    private var summary = StageSummary()

    init(_ emit: @escaping (StageReport) -> Void) { self.emit = emit }

    mutating func add(_ report: StageReport) {
        if report.lastLine != nil, open != nil {
            open?.lastLine = report.lastLine
            return
        }
        close()
        if report.lastLine == nil { count(report) } else { open = report }
    }

    /// Emits the open report and returns the summary.
    mutating func finish() -> StageSummary {
        close()
        return summary
    }

    private mutating func close() {
        if let open { count(open) }
        open = nil
    }

    private mutating func count(_ report: StageReport) {
        emit(report)
        summary.add(report)
    }
}
