import AttachmentModel
import Foundation

/// The report of `thimble batch` on standard output: a line of JSON per file while the batch runs
/// and one for the summary, or the summary as text; and a contact sheet, if one is to be written.
///
/// It holds totals and a limited number of failures, however many files there are.
struct BatchReport {
    private let format: ReportFormat
    private let isQuiet: Bool
    private(set) var totals = BatchTotals()
    private var failures = FailureGroups()
    private let sheet: ContactSheet?
    /// False once standard output or the contact sheet could not be written.
    private(set) var isWritten = true

    /// If `isQuiet`, the text is empty unless something failed.
    init(_ format: ReportFormat, isQuiet: Bool, sheet: ContactSheet? = nil) {
        self.format = format
        self.isQuiet = isQuiet
        self.sheet = sheet
    }

    mutating func add(_ result: BatchResult) {
        totals.add(result)
        draw { sheet throws(SheetError) in try sheet.add(result) }
        switch format {
        case .json: printLine(BatchFile(result))
        case .text:
            if let failure = result.failure { failures.add(failure, of: result.name) }
        }
    }

    /// Counts an attachment whose work was interrupted.
    mutating func addNotDone() { totals.addNotDone() }

    mutating func finish(_ summary: BatchSummary) {
        draw { sheet throws(SheetError) in try sheet.finish(summary) }
        switch format {
        case .json: printLine(["summary": summary])
        case .text:
            if !isQuiet || summary.hasFailures { summary.printText() }
            for line in failures.lines { TextOutput.print(line) }
        }
    }

    private mutating func draw(_ step: (ContactSheet) throws(SheetError) -> Void) {
        guard isWritten, let sheet else { return }
        do throws(SheetError) {
            try step(sheet)
        } catch {
            isWritten = false
            Terminal.complain("error: \(error)")
        }
    }

    private mutating func printLine(_ value: some Encodable) {
        guard isWritten else { return }
        isWritten = JSONOutput.printLine(value)
        if !isWritten {
            Terminal.complain(
                "error: standard output cannot be written: " + String(cString: strerror(errno)))
        }
    }
}
