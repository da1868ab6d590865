import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation

@testable import AttachmentPipeline

extension FuzzTarget {
    /// Two decoders of the groups between restart markers, compared with one decoder, and coefficients of
    /// several scans for libjpeg.
    static let groups = [
        FuzzTarget("jpeg-coefficients") { input in
            guard case .picture(let header)? = input.withFile({ try? probed($0) }),
                header.storedSize.pixelCount <= 1 << 20
            else { return }
            input.withFile { file in
                for isTolerant in [false, true] { transform(file, isTolerant) }
            }
        },
        FuzzTarget("jpeg-groups") { input in
            guard case .picture(let header)? = input.withFile({ try? probed($0) }),
                header.storedSize.pixelCount <= 1 << 20
            else { return }
            input.withFile { compareGroups(of: $0, header) }
        },
    ]

    private static func transform(_ file: OpenFile, _ isTolerant: Bool) {
        let shrink = 1 << (file.length & 3)
        guard
            let attachment = try? AttachmentFile(descriptor: dup(file.descriptor), path: "input"),
            let coefficients = try? JPEGCoefficients(
                file, loadShrink: shrink, isTolerant: isTolerant),
            let rows = try? JPEGPlaneRows(
                ByteStream(attachment, simpler: coefficients.header), coefficients,
                loadShrink: shrink, keepsProfile: false, isTolerant ? .tolerant : .loss)
        else { return }
        precondition(!digest(of: rows).isEmpty)
    }

    private static func compareGroups(of file: OpenFile, _ header: AttachmentHeader) {
        guard
            let attachment = try? AttachmentFile(descriptor: dup(file.descriptor), path: "input")
        else { return }
        let shrink = 1 << (file.length & 3)
        let notes = [DecodingNotes(), DecodingNotes()]
        func one(_ notes: DecodingNotes) throws(DecodingFault) -> JPEGPlaneRows {
            try JPEGPlaneRows(
                ByteStream(attachment), loadShrink: shrink, keepsProfile: false, .loss,
                notes: notes)
        }
        guard
            let pair = GroupRows(
                attachment, of: header, loadShrink: shrink,
                makeOne: { () throws(DecodingFault) in try one(notes[0]) }),
            let alone = try? one(notes[1])
        else { return }
        precondition(digest(of: pair) == digest(of: alone))
        precondition(notes[0].texts == notes[1].texts)
    }

    /// Number and sum of the rows of each plane, with the fault that ended them.
    private static func digest(of rows: any PlaneRows) -> String {
        let rowBytes = rows.layout.rowBytes
        var sums = rowBytes.map { _ in (rows: 0, sum: 1) }
        do throws(DecodingFault) {
            while try rows.next({ plane, row in
                sums[plane].rows += 1
                for byte in UnsafeRawBufferPointer(start: row, count: rowBytes[plane]) {
                    sums[plane].sum = sums[plane].sum &* 31 &+ Int(byte)
                }
            }) {}
            return "\(sums)"
        } catch {
            return "\(sums) \(error)"
        }
    }
}
