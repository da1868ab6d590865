import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline

/// Stray bytes and replaced files, which two decoders see in another order than one.
@Suite("Faults between two decoders", .timeLimit(.minutes(5)))
struct GroupFaultTests {
    /// libjpeg takes up to seven of the bytes into its bit buffer, and warns of them later.
    @Test(
        "A few stray bytes before any marker are noted as by one decoder",
        arguments: [30, 40, 50, 60, 70, 80, 90, 95], [1, 3, 5])
    func fewStrayBytes(quality: Int, count: Int) async throws {
        try await ProcessorFixture.with { fixture in
            let intact = try fixture.restarts(quality: quality)
            for marker in intact.restartMarkers {
                var bytes = intact
                bytes.insert(contentsOf: repeatElement(0x5A, count: count), at: marker)
                try bytes.write(to: fixture.url("stray.jpg"))
                let picture = try RestartPicture(fixture.url("stray.jpg").path)
                #expect(picture.isShared)
                let one = picture.outcome(1)
                #expect(one.outcome.fault == nil)
                #expect(picture.outcome(1, byTwo: true) == one, "before byte \(marker)")
            }
        }
    }

    @Test("More stray bytes than a decoder reads at once put no row out of place", arguments: 0..<8)
    func manyStrayBytes(group: Int) async throws {
        try await ProcessorFixture.with { fixture in
            // 63 units across: three intervals are a group of two rows of units.
            let each = JPEGCase(size: PixelSize(width: 1001, height: 667), restart: "42B")
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            var bytes = try Data(contentsOf: fixture.url("in.jpg"))
            bytes.insert(
                contentsOf: repeatElement(0x5A, count: 40_000),
                at: bytes.restartMarkers[3 * group + 2])
            try bytes.write(to: fixture.url("in.jpg"))
            let picture = try RestartPicture(fixture.url("in.jpg").path)
            #expect(picture.isShared)
            let one = picture.outcome(1)
            #expect(one.outcome.fault == nil && one.notes == ["stray bytes were skipped"])
            #expect(picture.outcome(1, byTwo: true) == one)
        }
    }

    @Test("A file that is replaced by a smaller picture before its fault is judged is unreadable")
    func replaced() async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try fixture.changed { bytes, markers in
                bytes.removeSubrange(markers[13] - 4..<markers[13])
            }
            let small = JPEGCase(size: PixelSize(width: 40, height: 250))
            try small.write(VipsFixture.waves(small.size), to: fixture.url("small.jpg"))
            let other = try RestartPicture(fixture.url("small.jpg").path)
            let shared = GroupRows(
                picture.file, of: picture.header, loadShrink: 1,
                makeOne: { () throws(DecodingFault) in try other.one(1, DecodingNotes()) })
            let rows = try #require(shared)
            #expect(throws: DecodingFault(.unreadable, at: 0, "it was changed while it was read")) {
                while try rows.next({ _, _ in }) {}
            }
        }
    }
}
