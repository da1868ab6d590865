import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentWorker

@Suite(
    "Movies get a poster frame",
    .enabled(if: FrameGrabber.installed() != nil, "ffmpeg is not installed"),
    .timeLimit(.minutes(3)), .serialized)
struct PosterTests {
    @Test("A movie gets a poster frame after its black beginning")
    func poster() async throws {
        try await PoolFixture.with { fixture in
            let movie = try fixture.movie("a.mp4")
            try await fixture.withPool { pool in
                let done = try await pool.process(movie, identifier: "id", category: "clips")
                #expect(done.work == .made)
                let manifest = done.manifest
                #expect(manifest.renditions.map(\.role) == [.media, .expanded, .banner])
                #expect(manifest.source.format == "mp4" && manifest.category == "clips")
                #expect(manifest.rendition(.expanded)?.size == PixelSize(width: 320, height: 240))
                #expect(manifest.contentSizeRatio == 0.75)
                #expect(manifest.notes.isEmpty)
                // The movie is black for half a second, then red.
                let colour = manifest.averageColour
                #expect(colour.red > 200 && colour.green < 40 && colour.blue < 40, "\(colour)")
                #expect(try fixture.container.manifest(for: "id") == manifest)
                let content = fixture.container.content(
                    for: "id", on: Display(width: 440, scale: 3))
                #expect(content.picture?.role == .expanded)
                #expect(content.media?.type == "public.mpeg-4")
                // The same movie reuses its poster for another notification.
                let again = try await pool.process(movie, identifier: "other")
                #expect(again.work == .reused && again.manifest.hasPicture)
                #expect(again.manifest.averageColour == colour)
            }
        }
    }

    @Test(
        "Every supported movie format gets one",
        arguments: [
            ("a.avi", ["-c:v", "mjpeg"]), ("a.mpg", ["-c:v", "mpeg1video"]),
            ("b.mpg", ["-f", "vob", "-c:v", "mpeg2video"]), ("a.m2v", ["-c:v", "mpeg2video"]),
            ("a.mov", ["-c:v", "mpeg4"]),
        ])
    func kinds(name: String, options: [String]) async throws {
        try await PoolFixture.with { fixture in
            let movie = try fixture.movie(name, options)
            try await fixture.withPool { pool in
                let manifest = try await pool.process(movie, identifier: "id").manifest
                #expect(manifest.hasPicture, "\(manifest.notes)")
                #expect(!manifest.notes.contains { $0.hasPrefix("no poster") })
            }
        }
    }

    @Test("A QuickTime movie with uncompressed sound is not attached, but its stills are made")
    func uncompressedSound() async throws {
        try await PoolFixture.with { fixture in
            let movie = fixture.folder.appending(path: "live.mov").path
            try fixture.ffmpeg([
                "-f", "lavfi", "-i", "color=red:s=320x240:d=2", "-f", "lavfi", "-i",
                "sine=d=2", "-c:v", "mpeg4", "-c:a", "pcm_s16le", movie,
            ])
            try await fixture.withPool { pool in
                let done = try await pool.process(movie, identifier: "id", category: "clips")
                let manifest = done.manifest
                #expect(manifest.renditions.map(\.role) == [.expanded, .banner])
                #expect(manifest.source.format == "mov" && manifest.category == "clips")
                #expect(manifest.rendition(.expanded)?.size == PixelSize(width: 320, height: 240))
                #expect(manifest.averageColour.red > 200 && manifest.averageColour.blue < 40)
                #expect(manifest.thumbnailTime == nil)
                let note = manifest.notes.first { $0.contains("not attached") }
                #expect(note?.contains("'sowt'") == true || note?.contains("'lpcm'") == true)
                #expect(try fixture.container.manifest(for: "id") == manifest)
                let again = try await pool.process(movie, identifier: "other")
                #expect(again.work == .reused && again.manifest.hasPicture)
            }
        }
    }

    @Test("Without ffmpeg, a movie that cannot be attached is refused with both reasons")
    func noStill() async throws {
        try await PoolFixture.with { fixture in
            let movie = fixture.folder.appending(path: "live.mov").path
            try fixture.ffmpeg([
                "-f", "lavfi", "-i", "color=red:s=320x240:d=1", "-c:v", "prores", movie,
            ])
            try await fixture.withPool(frameGrabber: nil) { pool in
                let error = await fixture.error(of: pool, movie)
                #expect(error?.code == .unsupported && error?.file == movie)
                #expect(error?.reason.contains("'ap") == true)
                #expect(error?.reason.contains("ffmpeg is not installed; install it") == true)
                let manifest = try fixture.container.manifest(for: "id")
                #expect(manifest == nil)
            }
        }
    }

    @Test("Rotation and pixel aspect ratio are applied")
    func shape() async throws {
        try await PoolFixture.with { fixture in
            let upright = try fixture.movie("a.mp4", size: "160x120")
            let turned = fixture.folder.appending(path: "turned.mp4").path
            try fixture.ffmpeg([
                "-i", upright, "-c", "copy", "-metadata:s:v:0", "rotate=90", turned,
            ])
            let wide = try fixture.movie("wide.mp4", ["-c:v", "mpeg4", "-aspect", "16:9"])
            try await fixture.withPool { pool in
                let first = try await pool.process(turned, identifier: "turned").manifest
                #expect(first.rendition(.media)?.size == PixelSize(width: 120, height: 160))
                #expect(first.rendition(.expanded)?.size == PixelSize(width: 120, height: 160))
                let second = try await pool.process(wide, identifier: "wide").manifest
                #expect(second.rendition(.expanded)?.size == PixelSize(width: 427, height: 240))
            }
        }
    }

    @Test("The arguments restrict ffmpeg to one file and one demultiplexer")
    func arguments() throws {
        let grabber = FrameGrabber(executable: URL(fileURLWithPath: "/bin/false"))
        let movie = try #require(
            FrameGrabber.Movie(format: "mp4", duration: 30, width: 1320))
        for choice in FrameGrabber.Choice.allCases {
            let words = grabber.arguments(for: movie, choice)
            let inputs = words.indices.filter { words[$0] == "-i" }.map { words[$0 + 1] }
            #expect(inputs == ["file:/dev/fd/0"])
            let formats = words.indices.filter { words[$0] == "-f" }.map { words[$0 + 1] }
            #expect(formats == ["mov", "image2pipe"])
            #expect(words.contains("-nostdin") && words.contains("file,pipe"))
            #expect(words.contains("3.000") == (choice != .first))
        }
    }

    @Test("A playlist disguised as a movie is not followed")
    func playlist() async throws {
        try await PoolFixture.with { fixture in
            // The probe detects MPEG video; ffmpeg alone would detect a concatenation list.
            let secret = fixture.folder.appending(path: "secret.txt")
            try Data("secret".utf8).write(to: secret)
            let list = Data("ffconcat version 1.0\nfile '\(secret.path)'\n".utf8)
            let file = fixture.folder.appending(path: "-x concat:a|b.mpg")
            let head: [UInt8] =
                [0, 0, 1, 0xB3, 0x16, 0x01, 0x20, 0x13, 0xFF, 0xFF, 0xE0, 0xA0, 0, 0, 1, 0xB8]
            try (Data(head) + list).write(to: file)
            try await fixture.withPool { pool in
                let manifest = try await pool.process(file.path, identifier: "id").manifest
                #expect(!manifest.hasPicture)
                #expect(manifest.notes.contains { $0.hasPrefix("no poster frame: ffmpeg") })
            }
        }
    }

    @Test("A frame over the cap is retried with less memory, then given up with a reason")
    func overCap() async throws {
        try await PoolFixture.with { fixture in
            let movie = try fixture.movie("a.mp4", size: "1920x1080")
            // Too little for ffmpeg to start, but enough for the worker, which decodes nothing.
            try await fixture.withPool(cap: MemoryCap(.mebibytes(12))) { pool in
                let manifest = try await pool.process(movie, identifier: "id").manifest
                #expect(!manifest.hasPicture && manifest.rendition(.media) != nil)
                #expect(
                    manifest.notes.contains { $0.contains("ffmpeg needs more than the cap") },
                    "\(manifest.notes)")
                #expect(try fixture.container.manifest(for: "id") == manifest)
            }
        }
    }

    @Test("Waiting for a worker does not count toward the time limit of a poster frame")
    func waiting() async throws {
        try await PoolFixture.with { fixture in
            let request = AttachmentRequest(path: try fixture.movie("a.mp4"), identifier: "id")
            let done = try await fixture.withPool(frameGrabber: nil) { pool in
                try await pool.process(request)
            }
            try await fixture.withPool { pool in
                let limit = Duration.seconds(4)
                let worker = try await pool.roster.take(.rows)
                async let poster = pool.withPoster(done, for: request, within: limit)
                try await Task.sleep(for: limit + .seconds(1))
                pool.roster.giveBack(worker)
                let manifest = await poster.manifest
                #expect(manifest.hasPicture, "\(manifest.notes)")
            }
        }
    }

    @Test("A movie of 1920 by 1080 pixels gets a poster under the service extension's cap")
    func serviceExtension() async throws {
        try await PoolFixture.with { fixture in
            let movie = try fixture.movie("a.mp4", ["-c:v", "libx264"], size: "1920x1080")
            try await fixture.withPool(cap: .serviceExtension) { pool in
                let manifest = try await pool.process(movie, identifier: "id").manifest
                #expect(manifest.hasPicture, "\(manifest.notes)")
            }
        }
    }
}

@Suite("Movies without a poster frame", .timeLimit(.minutes(1)))
struct MissingPosterTests {
    @Test("Without ffmpeg the movie is published, with a note")
    func notInstalled() async throws {
        try await PoolFixture.with { fixture in
            try await fixture.withPool(frameGrabber: nil) { pool in
                let path = try fixture.emptyMovie()
                let manifest = try await pool.process(path, identifier: "id").manifest
                #expect(
                    manifest.notes == [
                        "no poster frame: ffmpeg is not installed; install it to have stills of movies"
                    ])
                #expect(try fixture.container.manifest(for: "id") == manifest)
                #expect(try await pool.process(path, identifier: "id").work == .unchanged)
            }
        }
    }

    @Test("A hung program is killed at the deadline, and the movie is published")
    func hanging() async throws {
        try await PoolFixture.with { fixture in
            let grabber = try fixture.program("#!/bin/sh\nexec sleep 60\n")
            try await fixture.withPool(frameGrabber: grabber) { pool in
                let path = try fixture.emptyMovie()
                let done = try await pool.process(
                    AttachmentRequest(
                        path: path, identifier: "id", deadline: .now + .seconds(3)))
                #expect(done.manifest.notes == ["no poster frame: ffmpeg took too long"])
            }
        }
    }

    @Test(
        "A program that fails or writes nothing, text or endless output is reported",
        arguments: [
            ("#!/bin/sh\necho 'it is broken' >&2\nexit 1\n", "it is broken"),
            ("#!/bin/sh\nexit 0\n", "ffmpeg found no frame"),
            ("#!/bin/sh\necho 'no picture at all'\n", "it looks like text"),
            ("#!/bin/sh\nexec cat /dev/zero\n", "ffmpeg:"),
        ])
    func failing(script: String, reason: String) async throws {
        try await PoolFixture.with { fixture in
            let grabber = try fixture.program(script)
            try await fixture.withPool(frameGrabber: grabber) { pool in
                let path = try fixture.emptyMovie()
                let manifest = try await pool.process(path, identifier: "id").manifest
                #expect(manifest.notes.count == 1 && !manifest.hasPicture)
                #expect(manifest.notes.first?.contains(reason) == true, "\(manifest.notes)")
            }
        }
    }

    @Test("The program inherits no environment")
    func environment() async throws {
        try await PoolFixture.with { fixture in
            let grabber = try fixture.program(
                "#!/bin/sh\ntr '\\0' ' ' </proc/$$/environ >&2\nexit 1\n")
            setenv("THIMBLE_TEST_SECRET", "secret", 1)
            defer { unsetenv("THIMBLE_TEST_SECRET") }
            try await fixture.withPool(frameGrabber: grabber) { pool in
                let path = try fixture.emptyMovie()
                let manifest = try await pool.process(path, identifier: "id").manifest
                let note = try #require(manifest.notes.first)
                #expect(note.contains("AV_LOG_FORCE_NOCOLOR=1"))
                #expect(!note.contains("secret") && !note.contains("PWD="), "\(note)")
            }
        }
    }
}

extension PoolFixture {
    /// Creates a movie with ffmpeg: half a second of black, then two seconds of red.
    fileprivate func movie(
        _ name: String, _ options: [String] = ["-c:v", "mpeg4"], size: String = "320x240"
    ) throws -> String {
        let path = folder.appending(path: name).path
        try ffmpeg(
            [
                "-f", "lavfi", "-i", "color=black:s=\(size):d=0.2", "-f", "lavfi", "-i",
                "color=red:s=\(size):d=2", "-filter_complex", "[0][1]concat=n=2", "-pix_fmt",
                options.contains("mjpeg") ? "yuvj420p" : "yuv420p",
            ] + options + [path])
        return path
    }

    /// Runs ffmpeg and waits.
    fileprivate func ffmpeg(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = FrameGrabber.installed()?.executable
        process.arguments = ["-nostdin", "-loglevel", "error", "-y"] + arguments
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// A movie with a header but without frames.
    fileprivate func emptyMovie() throws -> String {
        func little(_ value: Int) -> Data {
            Data((0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
        }
        let body = [
            Data("AVI LIST".utf8), little(68), Data("hdrlavih".utf8), little(56), little(40_000),
            Data(count: 12), little(50), Data(count: 12), little(320), little(240), Data(count: 16),
        ].reduce(into: Data()) { $0 += $1 }
        let url = folder.appending(path: "empty.avi")
        var file = Data("RIFF".utf8)
        file += little(body.count)
        file += body
        try file.write(to: url)
        return url.path
    }

    /// A script in place of ffmpeg.
    fileprivate func program(_ script: String) throws -> FrameGrabber {
        let url = folder.appending(path: "ffmpeg")
        try Data(script.utf8).write(to: url)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: url.path)
        return FrameGrabber(executable: url)
    }
}
