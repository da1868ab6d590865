import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

/// Rows that a second thread decodes.
@Suite("Rows ahead", .timeLimit(.minutes(1)))
struct RowsAheadTests {
    @Test(
        "The rows of a JPEG are the same as without a thread",
        arguments: ["1x1", "2x1", "1x2", "2x2", "4x2"], [1, 2, 4, 8])
    func rows(sampling: String, shrink: Int) async throws {
        try await ProcessorFixture.with { fixture in
            let each = JPEGCase(sampling: sampling)
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            let path = fixture.url("in.jpg").path
            let alone = Self.outcome(of: path, shrink, isAhead: false)
            #expect(alone.rows.count == 3 && alone.fault == nil)
            #expect(alone.rows.allSatisfy { $0.value.count > 1001 / shrink })
            #expect(Self.outcome(of: path, shrink, isAhead: true) == alone)
        }
    }

    @Test("Grey pictures have one plane, and inks four samples")
    func colours() throws {
        for name in ["dunes-grey.jpg", "dunes-cmyk.jpg"] {
            let path = Self.sample(name)
            let alone = Self.outcome(of: path, 1, isAhead: false)
            #expect(alone.rows.count == 1 && alone.fault == nil)
            #expect(Self.outcome(of: path, 1, isAhead: true) == alone)
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
                let alone = Self.outcome(of: url.path, 1, isAhead: false)
                #expect(alone.fault?.code == .truncated)
                #expect(Self.outcome(of: url.path, 1, isAhead: true) == alone)
            }
        }
    }

    /// A buffer has at most 16 rows of luma.
    @Test("A reader that is released early ends its thread", arguments: [0, 1, 20, 40, 80, 500])
    func released(after rows: Int) throws {
        for _ in 0..<20 {
            let reader = try Self.reader(Self.sample("lake-baseline.jpg"), 1, isAhead: true)
            for _ in 0..<rows { #expect(try reader.next { _, _ in }) }
        }
    }

    /// Widths and numbers of rows on both sides of the limits of a buffer.
    @Test(
        "A source gives rows one by one or all at once, short ones and ones longer than a buffer",
        arguments: [
            (1, 1), (1, 4_095), (1, 4_096), (1, 20_000), (1000, 500), (65_536, 7), (65_537, 7),
            (500_000, 5),
        ], [1, 3, .max])
    func sources(size: (width: Int, height: Int), rowsAtOnce: Int) throws {
        let planes = [size, ((size.width + 1) / 2, (size.height + 1) / 2)]
        for faultAt in [nil, 0, size.height / 2, size.height] {
            func source() -> CountedRows {
                CountedRows(planes, rowsAtOnce: rowsAtOnce, faultAt: faultAt)
            }
            let alone = RowOutcome(of: source())
            #expect((alone.fault != nil) == (faultAt != nil))
            let ahead = try #require(RowsAhead(source()))
            #expect(RowOutcome(of: ahead) == alone)
        }
    }

    @Test("A reader that begins when all buffers are full gets every row", arguments: [1, 7, 100])
    func lateReader(rowsAtOnce: Int) throws {
        func source() -> CountedRows {
            CountedRows([(20_000, 40)], rowsAtOnce: rowsAtOnce, faultAt: nil)
        }
        let alone = RowOutcome(of: source())
        for _ in 0..<5 {
            let ahead = try #require(RowsAhead(source()))
            // The thread fills its buffers in a fraction of this time; the result does not depend on it.
            Thread.sleep(forTimeInterval: 0.02)
            #expect(try ahead.next { _, _ in Thread.sleep(forTimeInterval: 0.005) })
            let rest = RowOutcome(of: ahead)
            #expect(rest.fault == nil)
            #expect(rest.rows[0] == alone.rows[0].map { Array($0.dropFirst(20_000)) })
        }
    }

    @Test("A call passes on one row, however many the source gives at once")
    func oneRow() throws {
        let ahead = try #require(
            RowsAhead(CountedRows([(100, 50), (50, 25)], rowsAtOnce: .max, faultAt: nil)))
        var passed = 0
        while true {
            let before = passed
            guard try ahead.next({ _, _ in passed += 1 }) else { break }
            #expect(passed == before + 1)
        }
        #expect(passed == 75)
    }

    @Test("A thread that waits for room within a call of its source ends with its reader")
    func waiting() throws {
        for rows in 0..<4 {
            let ahead = try #require(
                RowsAhead(CountedRows([(100_000, 50)], rowsAtOnce: .max, faultAt: nil)))
            for _ in 0..<rows { #expect(try ahead.next { _, _ in }) }
        }
    }

    @Test(
        "A source that writes rows into the buffers gives the same rows and the same fault",
        arguments: [(1, 1), (1, 4_096), (1, 4_097), (1000, 500), (65_536, 7), (65_537, 7)])
    func written(size: (width: Int, height: Int)) throws {
        for faultAt in [nil, 0, 3, size.height / 2, size.height] {
            let alone = RowOutcome(of: CountedWrittenRows(size, faultAt: faultAt))
            let whole = min(faultAt ?? size.height, size.height)
            #expect(alone.rows[0, default: []].count == whole * size.width)
            let ahead = try #require(RowsAhead(CountedWrittenRows(size, faultAt: faultAt)))
            #expect(RowOutcome(of: ahead) == alone)
        }
        // Released early, while the thread waits for room.
        let ahead = try #require(RowsAhead(CountedWrittenRows(size, faultAt: nil)))
        #expect(try ahead.next { _, _ in })
    }

    private static func sample(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Images/\(name)").path
    }

    private static func outcome(of path: String, _ shrink: Int, isAhead: Bool) -> RowOutcome {
        do throws(DecodingFault) {
            return RowOutcome(of: try reader(path, shrink, isAhead: isAhead))
        } catch {
            return RowOutcome(fault: error)
        }
    }

    private static func reader(
        _ path: String, _ shrink: Int, isAhead: Bool
    ) throws(DecodingFault) -> any PlaneRows {
        let file: AttachmentFile
        do throws(AttachmentError) {
            file = try AttachmentFile(path: path)
        } catch {
            throw DecodingFault(.unreadable, at: 0, "\(error)")
        }
        let rows = try JPEGPlaneRows(
            ByteStream(file), loadShrink: shrink, keepsProfile: false, .error)
        guard isAhead else { return rows }
        guard let ahead = RowsAhead(rows) else {
            throw DecodingFault(.unreadable, at: 0, "no thread can be started")
        }
        return ahead
    }
}

/// Planes whose samples count up, with a fault after some rows of the first plane.
private final class CountedRows: PlaneRows {
    let layout: PlaneLayout
    private let rowsAtOnce: Int
    private let faultAt: Int?
    private var y = 0
    private var sample: UInt8 = 0

    init(_ planes: [(width: Int, height: Int)], rowsAtOnce: Int, faultAt: Int?) {
        layout = PlaneLayout(
            colours: planes.count == 1 ? .grey : .yCbCr,
            planes: planes.map { .init(PixelSize(width: $0.width, height: $0.height)) })
        (self.rowsAtOnce, self.faultAt) = (rowsAtOnce, faultAt)
    }

    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        let height = layout.planes[0].size.height
        for _ in 0..<min(rowsAtOnce, height) {
            if y == faultAt { throw DecodingFault(.corrupt, at: y, "a fault for tests") }
            guard y < height else { return false }
            for (index, plane) in layout.planes.enumerated() where index == 0 || y % 2 == 0 {
                sample &+= 1
                let samples = (0..<plane.size.width).map { sample &+ UInt8(truncatingIfNeeded: $0) }
                samples.withUnsafeBytes { bytes in
                    if let start = bytes.baseAddress { row(index, start) }
                }
            }
            y += 1
        }
        return true
    }
}

/// Grey rows that are written where the reader needs them, with a fault after some.
private final class CountedWrittenRows: WrittenRows {
    let layout: PlaneLayout
    private let faultAt: Int?
    private var y = 0

    init(_ size: (width: Int, height: Int), faultAt: Int?) {
        layout = PlaneLayout(
            colours: .grey, planes: [.init(PixelSize(width: size.width, height: size.height))])
        self.faultAt = faultAt
    }

    func next(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Bool {
        if y == faultAt { throw DecodingFault(.corrupt, at: y, "a fault for tests") }
        guard y < layout.planes[0].size.height else { return false }
        #expect(row.count == layout.rowBytes[0])
        y += 1
        for x in row.indices { row[x] = UInt8(truncatingIfNeeded: x &+ y) }
        return true
    }

    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: layout.rowBytes[0], alignment: 1)
        defer { buffer.deallocate() }
        guard try next(into: buffer), let start = buffer.baseAddress else { return false }
        row(0, UnsafeRawPointer(start))
        return true
    }
}
