import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline

/// A JPEG that one decoder or two read.
struct RestartPicture {
    struct Result: Equatable {
        let outcome: RowOutcome
        let notes: [String]
    }

    let file: AttachmentFile
    let header: AttachmentHeader

    init(_ path: String) throws {
        file = try AttachmentFile(path: path)
        header = try Probe().picture(at: path)
    }

    /// True if two decoders read it, at least in the beginning.
    var isShared: Bool { shared(1, DecodingNotes()) != nil }

    func one(_ shrink: Int, _ notes: DecodingNotes) throws(DecodingFault) -> JPEGPlaneRows {
        try JPEGPlaneRows(
            ByteStream(file), loadShrink: shrink, keepsProfile: false, .loss, notes: notes)
    }

    func shared(_ shrink: Int, _ notes: DecodingNotes) -> GroupRows? {
        GroupRows(
            file, of: header, loadShrink: shrink,
            makeOne: { () throws(DecodingFault) in try one(shrink, notes) })
    }

    func outcome(_ shrink: Int, byTwo: Bool = false) -> Result {
        let notes = DecodingNotes()
        do throws(DecodingFault) {
            let reader: any PlaneRows =
                if byTwo, let shared = shared(shrink, notes) { shared } else {
                    try one(shrink, notes)
                }
            return Result(outcome: RowOutcome(of: reader), notes: notes.texts)
        } catch {
            return Result(outcome: RowOutcome(fault: error), notes: notes.texts)
        }
    }
}

extension ProcessorFixture {
    /// A picture of 16 groups of a row of units.
    func restarts(quality: Int = 95) throws -> Data {
        let each = JPEGCase(
            size: PixelSize(width: 200, height: 250), restart: "1", quality: quality)
        try each.write(VipsFixture.waves(each.size), to: url("intact.jpg"))
        return try Data(contentsOf: url("intact.jpg"))
    }

    /// The same after a change, which is told the offsets of its 15 restart markers.
    func changed(
        _ change: (inout Data, [Int]) throws -> Void
    ) throws -> RestartPicture {
        var bytes = try restarts()
        let markers = bytes.restartMarkers
        try #require(markers.count == 15)
        try change(&bytes, markers)
        try bytes.write(to: url("changed.jpg"))
        return try RestartPicture(url("changed.jpg").path)
    }
}

extension Data {
    /// Offsets of the restart markers of a JPEG.
    var restartMarkers: [Int] {
        indices.dropLast().filter { self[$0] == 0xFF && (0xD0...0xD7).contains(self[$0 + 1]) }
    }
}
