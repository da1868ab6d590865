import AttachmentContainer
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@Suite("Sound and movies", .timeLimit(.minutes(1))) struct MediaTests {
    @Test("Sound is published byte for byte, and the original is unchanged")
    func sound() async throws {
        try await ProcessorFixture.with { fixture in
            let wave = SampleMedia.wav(seconds: 2)
            try wave.write(to: fixture.url("a.wav"))
            let done = try await fixture.process("a.wav")
            #expect(done.work == .made)
            let manifest = done.manifest
            let rendition = try #require(manifest.rendition(.media))
            #expect(manifest.renditions == [rendition])
            #expect(rendition.type == "com.microsoft.waveform-audio")
            #expect(rendition.file.hasSuffix(".wav") && rendition.duration == 2)
            #expect(rendition.sha256 == manifest.source.sha256)
            #expect(try fixture.bytes(.media, of: manifest) == wave)
            #expect(try Data(contentsOf: fixture.url("a.wav")) == wave)
            #expect(try fixture.incoming.isEmpty)
            #expect(manifest.notes.isEmpty && manifest.source.format == "wav")
            #expect(manifest.thumbnailTime == nil)
        }
    }

    @Test("Every type that the system accepts is published with its extension")
    func kinds() async throws {
        let kinds: [(bytes: [UInt8], type: MediaType, duration: Double?, size: PixelSize?)] = [
            (SampleSound.wav(), .wav, 0.5, nil), (SampleSound.aiff(), .aiff, 0.5, nil),
            (SampleSound.mp3(tag: 200), .mp3, 0.26, nil),
            (
                SampleMovie.MP4(major: "M4A ", tracks: [SampleMovie.track("soun", "mp4a")]).bytes,
                .mpeg4Audio, 3, nil
            ),
            (SampleMovie.MP4().bytes, .mpeg4, 3, PixelSize(width: 1920, height: 1080)),
            (SampleMovie.avi(), .avi, 2, PixelSize(width: 320, height: 240)),
            (SampleMovie.program(), .mpeg, 1, PixelSize(width: 352, height: 288)),
            (
                SampleMovie.sequence(second: true) + .zeros(40), .mpeg2Video, nil,
                PixelSize(width: 352, height: 288)
            ),
        ]
        #expect(Set(kinds.map(\.type)) == Set(MediaType.allCases))
        try await ProcessorFixture.with { fixture in
            for kind in kinds {
                try Data(kind.bytes).write(to: fixture.url("a.tmp"))
                let manifest = try await fixture.process("a.tmp").manifest
                let rendition = try #require(manifest.rendition(.media))
                #expect(rendition.type == kind.type.rawValue)
                #expect(rendition.file.hasSuffix(".\(kind.type.fileExtension)"))
                #expect(rendition.size == kind.size ?? .zero)
                #expect(try fixture.bytes(.media, of: manifest) == Data(kind.bytes))
                let difference = (rendition.duration ?? -1) - (kind.duration ?? -1)
                #expect(abs(difference) < 0.05, "\(kind.type): \(rendition.duration ?? -1) s")
            }
        }
    }

    @Test("Later changes of the original do not change the published file")
    func laterChanges() async throws {
        try await ProcessorFixture.with { fixture in
            let wave = SampleMedia.wav(seconds: 1)
            try wave.write(to: fixture.url("a.wav"))
            let manifest = try await fixture.process("a.wav").manifest
            let handle = try FileHandle(forUpdating: fixture.url("a.wav"))
            try handle.seek(toOffset: 100)
            try handle.write(contentsOf: Data("something else".utf8))
            try handle.close()
            #expect(try fixture.bytes(.media, of: manifest) == wave)
        }
    }

    @Test("A reader gets the sound, the placeholder and the display's initial ratio")
    func reading() async throws {
        try await ProcessorFixture.with { fixture in
            try SampleMedia.wav(seconds: 1).write(to: fixture.url("a.wav"))
            let manifest = try await fixture.process("a.wav").manifest
            let display = Display(width: 440, scale: 3)
            let content = fixture.container.content(for: "id", on: display)
            let media = try #require(content.media)
            #expect(content.picture == nil && content.absence == .noPicture)
            #expect(content.contentSizeRatio == display.initialContentSizeRatio)
            #expect(media.type == "com.microsoft.waveform-audio" && media.duration == 1)
            #expect(media.size == nil && media.url.pathExtension == "wav")
            #expect(try Data(contentsOf: media.url) == fixture.bytes(.media, of: manifest))
            try FileManager.default.removeItem(at: media.url)
            #expect(fixture.container.content(for: "id", on: display).media == nil)
        }
    }

    @Test("A movie has its size and a note on the missing picture")
    func movie() async throws {
        try await ProcessorFixture.with { fixture in
            try SampleMedia.avi().write(to: fixture.url("a.avi"))
            let manifest = try await fixture.process("a.avi").manifest
            let rendition = try #require(manifest.rendition(.media))
            #expect(rendition.type == "public.avi" && rendition.duration == 2)
            #expect(rendition.size == PixelSize(width: 320, height: 240))
            #expect(manifest.contentSizeRatio == 0.75 && manifest.thumbnailTime == 0.2)
            #expect(manifest.notes.contains { $0.hasPrefix("no poster frame: ") })
            let stored = try fixture.container.manifest(for: "id")
            #expect(stored == manifest)
        }
    }

    @Test("The same bytes are stored once, regardless of their name")
    func reuse() async throws {
        try await ProcessorFixture.with { fixture in
            for name in ["a.wav", "b.jpg"] {
                try SampleMedia.wav(seconds: 1).write(to: fixture.url(name))
            }
            let first = try await fixture.process("a.wav", identifier: "one")
            let second = try await fixture.process("b.jpg", identifier: "two")
            #expect(second.work == .reused)
            #expect(second.manifest.renditions == first.manifest.renditions)
            #expect(try await fixture.process("b.jpg", identifier: "two").work == .unchanged)
            var findings: [Finding] = []
            fixture.container.verify {
                if case .finding(let finding) = $0 { findings.append(finding) }
            }
            #expect(findings.isEmpty)
        }
    }

    @Test("A file over its limit is an error with a remedy, and the limit is configurable")
    func limits() async throws {
        try await ProcessorFixture.with { fixture in
            try SampleMedia.wav(seconds: 1).write(to: fixture.url("a.wav"))
            try SampleMedia.avi().write(to: fixture.url("a.avi"))
            for (name, kind) in [("a.wav", "sound"), ("a.avi", "movie")] {
                let error = try await fixture.refuse(name) {
                    $0.media.sound = ByteCount(1000)
                    $0.media.movie = ByteCount(1000)
                }
                #expect(error?.code == .mediaTooLarge)
                #expect(error?.description.contains("the \(kind) has") == true)
                #expect(error?.description.contains("use a shorter file") == true)
                #expect(try await fixture.refuse(name) == nil)
            }
            #expect(try fixture.incoming.isEmpty)
        }
    }

    @Test("A movie of sixty megabytes is refused without being read", .timeLimit(.minutes(1)))
    func sparse() async throws {
        try await ProcessorFixture.with { fixture in
            try SampleMedia.avi(length: 60_000_000).write(to: fixture.url("a.avi"))
            let handle = try FileHandle(forUpdating: fixture.url("a.avi"))
            try handle.truncate(atOffset: 60_000_000)
            try handle.close()
            let before = try SampleMedia.bytesRead()
            let error = try await fixture.refuse("a.avi")
            #expect(error?.code == .mediaTooLarge)
            #expect(error?.reason.contains("60 MB, more than the 50 MB") == true)
            #expect(try SampleMedia.bytesRead() - before < 4 << 20)
        }
    }

    @Test("A truncated movie is an error, or passed through with a note in tolerant mode")
    func cut() async throws {
        try await ProcessorFixture.with { fixture in
            try SampleMedia.avi(length: 100_000).write(to: fixture.url("a.avi"))
            let error = try await fixture.refuse("a.avi")
            #expect(error?.code == .truncated)
            let manifest = try await fixture.process("a.avi") { $0.toleratesTruncation = true }
                .manifest
            #expect(manifest.notes.contains("the file ends early"))
        }
    }

    @Test(
        "An unsupported type is an error that names the supported ones",
        arguments: [
            ("a.mp3", "Dear reader, I am a letter.\n", "text"),
            ("a.mkv", "\u{1A}\u{45}\u{DF}\u{A3}", "Matroska"),
            ("a.ogg", "OggS\0", "an Ogg file"), ("a.mov", "\0\0\0\u{14}ftypqt  \0\0\0\0qt  ", ""),
        ])
    func otherTypes(name: String, text: String, reason: String) async throws {
        try await ProcessorFixture.with { fixture in
            try Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
                .write(to: fixture.url(name))
            let error = try #require(try await fixture.refuse(name))
            if reason.isEmpty {
                #expect(error.code == .truncated)
            } else {
                #expect(error.code == .unsupported && error.reason.contains(reason))
                #expect(error.description.contains("AIFF, WAV, MP3 or M4A"))
            }
        }
    }

    @Test("A manifest of the earlier format, without media fields, can be read")
    func earlierManifest() async throws {
        try await ProcessorFixture.with { fixture in
            try SampleMedia.wav(seconds: 1).write(to: fixture.url("a.wav"))
            let manifest = try await fixture.process("a.wav").manifest
            let json = try JSONEncoder().encode(manifest)
            let text = String(decoding: json, as: UTF8.self)
            #expect(text.contains(#""role":"media""#) && text.contains(#""duration":1"#))
            let earlier = text.replacingOccurrences(of: #","duration":1"#, with: "")
                .replacingOccurrences(of: #""duration":1,"#, with: "")
            let read = try JSONDecoder().decode(Manifest.self, from: Data(earlier.utf8))
            #expect(read.rendition(.media)?.duration == nil)
        }
    }
}

/// Synthetic sounds and movies.
enum SampleMedia {
    /// One tone of 8-bit samples at 8 kHz.
    static func wav(seconds: Int) -> Data {
        let samples = (0..<seconds * 8000).map { UInt8(128 + 100 * sin(Double($0) / 3)) }
        return join([
            text("RIFF"), little(samples.count + 36), text("WAVEfmt "), little(16),
            Data([1, 0, 1, 0]), little(8000), little(8000), Data([1, 0, 8, 0]), text("data"),
            little(samples.count), Data(samples),
        ])
    }

    /// The header of a movie of two seconds, without frames.
    static func avi(length: Int? = nil) -> Data {
        let main = join([
            little(40_000), Data(count: 12), little(50), Data(count: 12), little(320), little(240),
            Data(count: 16),
        ])
        let body = join([
            text("AVI LIST"), little(main.count + 12), text("hdrlavih"), little(main.count), main,
            text("LIST"), little(2004), text("movi"), Data(count: 2000),
        ])
        return join([text("RIFF"), little((length ?? body.count + 8) - 8), body])
    }

    /// Bytes that this process has read from files so far (proc(5)).
    static func bytesRead() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("rchar:") }
        return line.flatMap { Int($0.dropFirst(7)) } ?? 0
    }

    private static func join(_ parts: [Data]) -> Data { parts.reduce(into: Data()) { $0 += $1 } }

    private static func text(_ text: String) -> Data { Data(text.utf8) }

    private static func little(_ value: Int) -> Data {
        Data((0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }
}
