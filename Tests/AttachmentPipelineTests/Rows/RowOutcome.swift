import AttachmentFormats
import Testing

@testable import AttachmentPipeline

/// What a reader of planes gives, up to its end or its fault.
struct RowOutcome: Equatable {
    /// Samples of each plane.
    var rows: [Int: [UInt8]] = [:]
    var fault: DecodingFault?

    init(fault: DecodingFault) { self.fault = fault }

    init(of reader: any PlaneRows) {
        let rowBytes = reader.layout.rowBytes
        do throws(DecodingFault) {
            while try reader.next({ plane, row in
                rows[plane, default: []] += UnsafeRawBufferPointer(
                    start: row, count: rowBytes[plane])
            }) {}
            let isAtEnd = try !reader.next { _, _ in }
            #expect(isAtEnd)
        } catch {
            fault = error
        }
    }
}
