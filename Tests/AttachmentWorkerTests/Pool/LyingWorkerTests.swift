import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing
import WorkerProtocol

@testable import AttachmentWorker

extension PoolSuites {
    @Suite("Workers that violate the protocol")
    struct LyingWorkerTests {
        private static let picture = PoolFixture.sample("still-life.png")

        @Test(
            "An unexpected message kills the worker and fails the attachment",
            arguments: [
                ("send(ready); receive(); send(ready)", "out of turn"),
                ("send(ready); receive(); send(unable)", "out of turn"),
                ("send(started('streamed'))", "out of turn"),
                ("send(failed)", "out of turn"),
                ("send(ready); receive(); send(b'{')", "unreadable message"),
            ])
        func outOfTurn(lines: String, reason: String) async throws {
            try await PoolFixture.with { fixture in
                let worker = try fixture.fakeWorker(lines + "; time.sleep(60)")
                try await fixture.withPool(timeout: .seconds(30), executable: worker) { pool in
                    let error = await fixture.error(of: pool, Self.picture)
                    #expect(error?.code == .crashed)
                    #expect(
                        error?.reason.contains("broke the protocol") == true
                            && error?.reason.contains(reason) == true,
                        "\(error?.detailedDescription ?? "none")")
                    #expect(pool.statistics.lost == 1)
                }
            }
        }

        @Test("An idle worker that sends a message is replaced at no cost")
        func idle() async throws {
            try await PoolFixture.with { fixture in
                // Only the first worker misbehaves.
                let worker = try fixture.fakeWorker(
                    """
                    send(ready)
                    if not os.path.exists(here + "/lied"):
                        open(here + "/lied", "w").close()
                        send(failed)
                    receive()
                    send(failed)
                    receive()
                    """)
                try await fixture.withPool(executable: worker) { pool in
                    try await pool.warmUp()
                    try await PoolFixture.wait { PoolFixture.workers.isEmpty }
                    #expect(await fixture.error(of: pool, Self.picture)?.code == .corrupt)
                    #expect(pool.statistics.started == 2 && pool.statistics.lost == 0)
                }
            }
        }

        @Test(
            "An attachment is tried at most once per rung, whatever rungs its workers report",
            arguments: [
                ("rungs[0]", 2),
                // The next rung below the lost one; after the last one, the first.
                ("after(below)", Rung.allCases.count + 1),
            ])
        func rungs(choice: String, losses: Int) async throws {
            try await PoolFixture.with { fixture in
                let worker = try fixture.fakeWorker(
                    """
                    rungs = \(Rung.allCases.map(\.rawValue))
                    after = lambda rung: rungs[(rungs.index(rung) + 1 if rung else 0) % len(rungs)]
                    send(ready)
                    _, below, *_ = receive()
                    send(started(\(choice)), b"{")
                    time.sleep(60)
                    """)
                try await fixture.withPool(executable: worker) { pool in
                    let error = await fixture.error(
                        of: pool, Self.picture, deadline: .now + .seconds(30))
                    #expect(error?.code == .crashed, "\(error?.detailedDescription ?? "none")")
                    #expect(pool.statistics.lost == losses)
                }
            }
        }

        @Test("Implausible answers kill the worker and are not published")
        func facts() async throws {
            try await PoolFixture.with { fixture in
                let worker = try fixture.fakeWorker(
                    """
                    send(ready)
                    receive()
                    send(open(here + "/done", "rb").read())
                    time.sleep(60)
                    """)
                try await fixture.withPool(executable: worker) { pool in
                    let body = fixture.folder.appending(path: "done")
                    for (name, change) in Self.falsehoods {
                        try JSONEncoder().encode(Self.done(change)).write(to: body)
                        let error = await fixture.error(of: pool, Self.picture)
                        #expect(error?.code == .crashed, "\(name)")
                        #expect(error?.reason.contains("renditions") == true, "\(name)")
                    }
                    #expect(try fixture.container.manifest(for: "id") == nil)
                    try JSONEncoder().encode(Self.done { _ in }).write(to: body)
                    #expect(await fixture.error(of: pool, Self.picture) == nil)
                    let manifest = try #require(try fixture.container.manifest(for: "id"))
                    #expect(manifest.renditions.allSatisfy { $0.sha256 == manifest.source.sha256 })
                }
            }
        }

        @Test("A worker's error gets the attachment's name and is escaped")
        func texts() async throws {
            try await PoolFixture.with { fixture in
                let worker = try fixture.fakeWorker(
                    #"""
                    failed[1].update(file="/etc/passwd", detail="\u202e\r")
                    failed[1]["fault"].update(
                        reason="\x1b[2J" + "x" * 5000, remedy="\x1b[2J" + "y" * 5000)
                    send(ready)
                    while receive(): send(failed)
                    """#)
                try await fixture.withPool(executable: worker) { pool in
                    let error = try #require(await fixture.error(of: pool, Self.picture))
                    #expect(error.file == Self.picture)
                    #expect(error.reason.hasPrefix(#"\u{1B}[2Jx"#) && error.reason.count < 1100)
                    #expect(error.remedy.hasPrefix(#"\u{1B}[2Jy"#) && error.remedy.count < 1100)
                    #expect(error.detail == #"\u{202E}\u{D}"#)
                }
            }
        }

        @Test("A worker that requests too many scratch files is killed")
        func scratch() async throws {
            try await PoolFixture.with { fixture in
                let worker = try fixture.fakeWorker(
                    """
                    send(ready)
                    receive()
                    while True:
                        scratch.send(b"x")
                        for file in socket.recv_fds(scratch, 1, 1)[1]: os.close(file)
                    """)
                try await fixture.withPool(timeout: .seconds(60), executable: worker) { pool in
                    let error = await fixture.error(of: pool, Self.picture)
                    #expect(error?.code == .crashed)
                    #expect(error?.reason.contains("too many scratch files") == true)
                }
            }
        }
    }
}

extension PoolSuites.LyingWorkerTests {
    /// Changes that make an answer implausible.
    private static let falsehoods:
        [(name: String, change: @Sendable (inout RenderedAttachment) -> Void)] =
            [
                ("no rendition", { $0.renditions = [] }),
                ("no banner", { $0.renditions.removeLast() }),
                (
                    "an unknown role",
                    { $0.renditions[1].role = RenditionRole(rawValue: "expanded2") }
                ),
                ("a role twice", { $0.renditions[1].role = .expanded }),
                ("media of a picture", { $0.renditions = [$0.media] }),
                (
                    "a file index past the last",
                    { $0.renditions[0].output = PresetSelection.content.outputs }
                ),
                ("a preset that nobody asked for", { $0.renditions[1].role = .avatar }),
                ("a negative file index", { $0.renditions[0].output = -1 }),
                ("an empty file", { $0.renditions[0].output = 0 }),
                (
                    "a file twice",
                    { answer in for index in 0...1 { answer.renditions[index].output = 1 } }
                ),
                ("another type", { $0.renditions[0].type = "public.jpeg" }),
                ("a foreign type", { $0.renditions[0].type = "com.adobe.pdf" }),
                ("another size", { $0.renditions[0].size = PixelSize(width: 2, height: 1) }),
                ("a negative size", { $0.renditions[0].size = PixelSize(width: -1, height: 1) }),
                ("no size", { $0.renditions[1].size = .zero }),
                ("a duration", { $0.renditions[0].duration = 1e300 }),
                ("frames", { $0.renditions[0].frames = .min }),
                ("loops", { $0.renditions[0].loopCount = -1 }),
                ("a huge source", { $0.source.size = PixelSize(width: 1, height: 1 << 60) }),
                ("an orientation", { $0.source.orientation = 9 }),
                ("frames of the source", { $0.source.frames = -1 }),
                ("frames used", { $0.source.framesUsed = .min }),
                ("a format with a line feed", { $0.source.format = "png\n" }),
                ("an overlong coding", { $0.source.coding = String(repeating: "x", count: 65) }),
                ("an unknown rung", { $0.rung = "first" }),
                ("a rung of media", { $0.rung = RenderedAttachment.passedThrough }),
                ("a moment before the start", { $0.thumbnailTime = -1 }),
                ("a moment in the far future", { $0.thumbnailTime = 1e300 }),
                ("a note that clears the screen", { $0.notes = ["\u{1B}[2J"] }),
                ("a note that reverses text", { $0.notes = ["\u{202E}"] }),
                ("an overlong note", { $0.notes = [String(repeating: "x", count: 1025)] }),
                ("too many notes", { $0.notes = Array(repeating: "x", count: 33) }),
            ]

    /// A valid answer: the original picture in both roles.
    private static func done(
        _ change: (inout RenderedAttachment) -> Void
    ) throws -> WorkerMessage {
        let header = try Probe().picture(at: picture)
        let roles: [RenditionRole] = [.expanded, .banner]
        var attachment = RenderedAttachment(
            source: RenderedAttachment.Source(
                format: "png", coding: "sequential", size: header.storedSize, frames: 1,
                framesUsed: 1),
            renditions: roles.map {
                RenderedAttachment.Rendition(
                    $0, type: "public.png", size: header.storedSize, output: nil)
            },
            placeholder: try #require(ThumbHash(width: 1, height: 1, rgba: [9, 9, 9, 255])),
            averageColour: Colour(red: 9, green: 9, blue: 9), rung: Rung.streamed.rawValue,
            notes: [])
        change(&attachment)
        return .done(
            Rendering(
                attachment,
                memory: MemoryUse(
                    baseline: ByteCount(1), predictedPeak: nil, measuredPeak: ByteCount(1))))
    }
}

extension RenderedAttachment {
    /// The attachment passed through as a movie.
    fileprivate var media: Rendition {
        Rendition(.media, type: "public.mpeg-4", size: .zero, output: nil)
    }
}
