/// Rows returned one after another, with their faults.
///
/// After a fault, every call throws it. A tolerant decoder returns blank rows from the first
/// damaged one on.
struct RowSequence {
    private let layout: RowLayout
    private let isTolerant: Bool
    private let blank: UInt8
    /// True if damage in the first row is a fault, so that another decoder can try.
    private let needsFirstRow: Bool
    private var y = 0
    private var isBlank = false
    private var fault: DecodingFault?

    init(_ layout: RowLayout, isTolerant: Bool, blank: UInt8 = 0, needsFirstRow: Bool = false) {
        self.layout = layout
        self.isTolerant = isTolerant
        self.blank = blank
        self.needsFirstRow = needsFirstRow
    }

    /// Fills `row` with the next row, which `read` writes.
    mutating func next(
        into row: UnsafeMutableRawBufferPointer, _ read: (_ y: Int) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        if let fault { throw fault }
        precondition(row.count == layout.rowBytes, "the buffer does not have the size of a row")
        guard y < layout.height else { throw DecodingFault(.truncated, at: 0, "no rows are left") }
        if !isBlank {
            do throws(DecodingFault) {
                try read(y)
            } catch {
                guard isTolerant, error.comesFromBytes, y > 0 || !needsFirstRow else {
                    fault = error
                    throw error
                }
                isBlank = true
            }
        }
        if isBlank { row.initializeMemory(as: UInt8.self, repeating: blank) }
        y += 1
    }
}
