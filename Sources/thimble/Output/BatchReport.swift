import AttachmentModel
import Foundation

/// The report of `thimble batch` on standard output: a line of JSON per file while the batch runs
/// and one for the summary, or the summary as text; and a contact sheet, if one is to be written.
///
/// It holds totals and a limited number of failures, however many files there are.
struct BatchReport {
    /// Maximum number of failures that the text repeats after its summary.
    private static let maximumFailures = 100

    private let format: ReportFormat
    private(set) var totals = BatchTotals()
    private var failures: [String] = []
    private let sheet: ContactSheet?
    /// False once standard output or the contact sheet could not be written.
    private(set) var isWritten = true

    init(_ format: ReportFormat, sheet: ContactSheet? = nil) {
        self.format = format
        self.sheet = sheet
    }

    mutating func add(_ result: BatchResult) {
        totals.add(result)
        draw { sheet throws(SheetError) in try sheet.add(result) }
        switch format {
        case .json: printLine(BatchFile(result))
        case .text:
            guard let error = result.failure, failures.count < Self.maximumFailures else { return }
            failures.append(
                "failed: \(result.name): \(error.reason); \(error.remedy)")
        }
    }

    mutating func finish(_ summary: BatchSummary) {
        draw { sheet throws(SheetError) in try sheet.finish(summary) }
        switch format {
        case .json: printLine(["summary": summary])
        case .text:
            summary.printText()
            for failure in failures { TextOutput.print(failure) }
            let others = totals.failed - failures.count
            if others > 0 { TextOutput.print("and \(others) more failed, listed while they ran") }
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
