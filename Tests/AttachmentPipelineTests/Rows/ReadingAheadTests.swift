import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

/// JPEGs whose next rows a thread decodes.
@Suite("Reading ahead", .timeLimit(.minutes(1)))
struct ReadingAheadTests {
    @Test(
        "The rows are the same as without a thread",
        arguments: ["1x1", "2x1", "1x2", "2x2", "4x2"], [1, 2, 4, 8])
    func rows(sampling: String, shrink: Int) async throws {
        try await ProcessorFixture.with { fixture in
            let each = JPEGCase(sampling: sampling)
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            let path = fixture.url("in.jpg").path
            let alone = Self.outcome(of: path, shrink, readsAhead: false)
            #expect(alone.rows.count == 3 && alone.fault == nil)
            #expect(alone.rows.allSatisfy { $0.value.count > 1001 / shrink })
            #expect(Self.outcome(of: path, shrink, readsAhead: true) == alone)
        }
    }

    @Test("A grey picture has one plane, and inks are read without a thread")
    func colours() throws {
        for name in ["dunes-grey.jpg", "dunes-cmyk.jpg"] {
            let path = Self.sample(name)
            let alone = Self.outcome(of: path, 1, readsAhead: false)
            #expect(alone.rows.count == 1 && alone.fault == nil)
            #expect(Self.outcome(of: path, 1, readsAhead: true) == alone)
        }
    }

    @Test("Every row before the end of a truncated file is read, and the error is the same")
    func truncated() async throws {
        try await ProcessorFixture.with { fixture in
            let bytes = try Data(
                contentsOf: URL(fileURLWithPath: Self.sample("lake-baseline.jpg")))
            for share in [2, 3, 10] {
                let url = fixture.url("\(share).jpg")
                try bytes.prefix(bytes.count / share).write(to: url)
                let alone = Self.outcome(of: url.path, 1, readsAhead: false)
                #expect(alone.fault?.code == .truncated)
                #expect(Self.outcome(of: url.path, 1, readsAhead: true) == alone)
            }
        }
    }

    @Test("A reader that is released early ends its thread", arguments: 0..<5)
    func released(after rows: Int) throws {
        for _ in 0..<50 {
            let reader = try Self.reader(
                Self.sample("lake-baseline.jpg"), 1, readsAhead: true)
            for _ in 0..<rows { #expect(try reader.next { _, _ in }) }
        }
    }

    private static func sample(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Images/\(name)").path
    }

    private struct Outcome: Equatable {
        /// Samples of each plane.
        var rows: [Int: [UInt8]] = [:]
        var fault: DecodingFault?
    }

    private static func outcome(of path: String, _ shrink: Int, readsAhead: Bool) -> Outcome {
        var outcome = Outcome()
        do throws(DecodingFault) {
            let reader = try reader(path, shrink, readsAhead: readsAhead)
            let layout = reader.layout
            while try reader.next({ plane, row in
                outcome.rows[plane, default: []] += UnsafeRawBufferPointer(
                    start: row, count: layout.planes[plane].size.width * layout.bands)
            }) {}
            let isAtEnd = try !reader.next { _, _ in }
            #expect(isAtEnd)
        } catch {
            outcome.fault = error
        }
        return outcome
    }

    private static func reader(
        _ path: String, _ shrink: Int, readsAhead: Bool
    ) throws(DecodingFault) -> JPEGPlaneRows {
        let file: AttachmentFile
        do throws(AttachmentError) {
            file = try AttachmentFile(path: path)
        } catch {
            throw DecodingFault(.unreadable, at: 0, "\(error)")
        }
        return try JPEGPlaneRows(
            ByteStream(file), loadShrink: shrink, keepsProfile: false, readsAhead: readsAhead,
            .error)
    }
}
