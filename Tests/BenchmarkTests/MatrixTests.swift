import AttachmentContainer
import Foundation
import Testing

@testable import thimble

@Suite("The matrix", .serialized, .timeLimit(.minutes(2)))
struct MatrixTests {
    /// Small enough to be its own rendition.
    private let picture = "still-life-ready.jpg"

    private func cells(
        _ peers: [Peer], caps: [Int] = [16, 96], in folder: URL
    ) async throws -> [Cell] {
        let benchmark = try await PeakBenchmark(of: picture, peers: peers, caps: caps, in: folder)
        return try await benchmark.run { _ in }
    }

    @Test("Caps are tried in ascending order up to the first survived")
    func smallestCap() async throws {
        let folder = try ScratchFolder()
        let copy = "import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2])"
        let peer = Peer(
            "holder",
            Allocation.command(mebibytes: 48, seconds: 0.05, then: copy) + ["{input}", "{output}"])
        let cell = try #require(
            try await cells([peer], caps: [16, 32, 96, 128], in: folder.url).first)
        #expect(cell.open.outcome == .survived, "\(cell.open)")
        #expect(cell.capped.map(\.outcome) == [.killed, .killed, .survived])
        #expect(cell.smallestCap == 96)
    }

    @Test("A peer that fails, misreports or is missing does not stop the others")
    func failing() async throws {
        let folder = try ScratchFolder()
        let line = #"cp "$1" "$2""#
        let found = try await cells(
            [
                Peer("fails", ["/bin/sh", "-c", "echo no; exit 7", "{input}{output}"]),
                Peer("missing", ["no-such-program", "{input}", "{output}"]),
                Peer("lies", ["/bin/sh", "-c", "echo x > $2", "x", "{input}", "{output}"]),
                Peer("copies", ["/bin/sh", "-c", line, "x", "{input}", "{output}"]),
            ], in: folder.url)
        #expect(found.map(\.open.outcome) == [.failed, .failed, .failed, .survived])
        #expect(found[0].smallestCap == nil && found[0].capped.count == 2)
        #expect(found[3].smallestCap == 16)
    }

    @Test("A picture below the requested size does not count as survived")
    func reduced() async throws {
        let folder = try ScratchFolder()
        let small = folder.url.appending(path: "small.jpg")
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        try FileManager.default.copyItem(
            at: package.appending(path: "Images/still-life-ready.jpg"), to: small)
        let line = #"cp "$1" "$2""#
        let peer = Peer("shrinks", ["/bin/sh", "-c", line, "x", small.path, "{output}", "{input}"])
        let benchmark = try await PeakBenchmark(
            of: "lake-baseline.jpg", peers: [peer], caps: [16], in: folder.url)
        let cell = try #require(try await benchmark.run { _ in }.first)
        #expect(cell.open.outcome == .reduced && cell.smallestCap == nil)
    }

    @Test("Sound must be complete")
    func sound() async throws {
        let folder = try ScratchFolder()
        let found = try await PeakBenchmark(
            of: "chime.wav",
            peers: [
                Peer("copies", ["/bin/cp", "{input}", "{output}"]),
                Peer("cuts", ["/bin/sh", "-c", "head -c 999 $1 > $2", "x", "{input}", "{output}"]),
            ], caps: [16], in: folder.url
        ).run { _ in }
        #expect(found.map(\.open.outcome) == [.survived, .failed])
        #expect(found[0].smallestCap == 16 && found[0].open.picture?.size == .zero)
        #expect(found[1].open.reason == "it left no complete copy")
    }

    @Test("Stored measurements are reused")
    func resumed() async throws {
        let folder = try ScratchFolder()
        let log = folder.url.appending(path: "log").path
        let peer = Peer(
            "counts",
            ["/bin/sh", "-c", "echo run >> \(log); cp $1 $2", "x", "{input}", "{output}"])
        let benchmark = try await PeakBenchmark(
            of: picture, peers: [peer], caps: [16], in: folder.url)
        let first = try await benchmark.run { _ in }
        let runs = try String(contentsOfFile: log, encoding: .utf8)
        let second = try await benchmark.run { _ in }
        // As stored: whether a busy machine disturbed a run is not stored.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(first) == encoder.encode(second))
        #expect(try String(contentsOfFile: log, encoding: .utf8) == runs)
    }
}
