internal import AttachmentModel

struct CodedBytes {
    let count: Int
    private let extents: [Range<Int>]
    private let reader: BoundedReader

    init(_ extents: [Range<Int>], of reader: BoundedReader) {
        self.extents = extents
        self.reader = reader
        count = extents.totalCount
    }

    func read(_ range: Range<Int>) throws(HeaderFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var start = 0
        for extent in extents {
            let (end, isOver) = start.addingReportingOverflow(extent.count)
            let wanted = range.clamped(to: start..<(isOver ? .max : end))
            for offset in wanted {
                // In this order, the sum stays within the extent and cannot overflow.
                bytes.append(try reader.byte(at: extent.lowerBound + (offset - start)))
            }
            if isOver || end >= range.upperBound { break }
            start = end
        }
        return bytes
    }
}

extension [Range<Int>] {
    var totalCount: Int {
        reduce(0) {
            let (sum, isOver) = $0.addingReportingOverflow($1.count)
            return isOver ? .max : sum
        }
    }
}
