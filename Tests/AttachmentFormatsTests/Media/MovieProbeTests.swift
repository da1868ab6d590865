import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import SampleMedia
import Testing

@Suite("Movie headers", .timeLimit(.minutes(1))) struct MovieProbeTests {
    @Test("MPEG-4 states its duration and size, wherever its moov box stands")
    func mpeg4() throws {
        for isLast in [false, true] {
            for isWide in [false, true] {
                let header = try media(
                    SampleMovie.MP4(isMovieLast: isLast, isWide: isWide).bytes)
                #expect(header.type == .mpeg4 && header.format == .mpeg4)
                #expect(header.coding == "avc1" && header.duration == 3)
                #expect(header.size == PixelSize(width: 1920, height: 1080))
                #expect(!header.endsEarly)
            }
        }
    }

    @Test("A movie rotated by its matrix has its displayed size")
    func turned() throws {
        let header = try media(
            SampleMovie.MP4(tracks: [SampleMovie.track("vide", "hvc1", turned: true)]).bytes)
        #expect(header.size == PixelSize(width: 1080, height: 1920))
    }

    @Test("Without a displayed size, the coded size counts")
    func codedSize() throws {
        let track = SampleMovie.track("vide", "avc1", width: 0)
        #expect(
            try media(SampleMovie.MP4(tracks: [track]).bytes).size
                == PixelSize(width: 640, height: 480))
    }

    @Test("MPEG-4 without video is sound, as is iTunes sound")
    func sound() throws {
        let heard = try media(
            SampleMovie.MP4(tracks: [SampleMovie.track("soun", "mp4a")]).bytes)
        #expect(heard.type == .mpeg4Audio && heard.size == nil && heard.duration == 3)
        let named = try media(SampleMovie.MP4(major: "M4A ", brands: ["M4A "]).bytes)
        #expect(named.type == .mpeg4Audio && named.coding == "mp4a")
    }

    @Test("A fragmented movie states its duration in another box, or not at all")
    func fragmented() throws {
        let extends = SampleMovie.box(
            "mvex", SampleMovie.box("mehd", .zeros(4) + .big32(60_000)))
        #expect(try media(SampleMovie.MP4(duration: 0, extra: extends).bytes).duration == 2)
        for unknown in [0, 0xFFFF_FFFF] {
            #expect(try media(SampleMovie.MP4(duration: unknown).bytes).duration == nil)
        }
        #expect(try media(SampleMovie.MP4(timescale: 0).bytes).duration == nil)
    }

    @Test("QuickTime is attached as MPEG-4 if its codecs allow, otherwise states the obstacle")
    func quickTime() throws {
        for major in ["qt  ", ""] {
            let movie = SampleMovie.MP4(major: major, brands: [])
            let header = try media(movie.bytes)
            #expect(header.format == .quickTime && header.type == .mpeg4)
            var old = movie
            old.tracks = [SampleMovie.track("vide", "apcn")]
            #expect(header.obstacle == nil)
            #expect(try media(old.bytes).obstacle?.contains("'apcn'") == true)
            // A sound has no still to show instead.
            old.tracks = [SampleMovie.track("soun", "lpcm")]
            let error = mediaRefusal(of: old.bytes)
            #expect(error?.code == .unsupported)
            #expect(error?.reason.contains("'lpcm'") == true)
        }
    }

    @Test("Other brands, protection, and tracks without audio or video are refused")
    func refused() {
        for (movie, reason) in [
            (SampleMovie.MP4(major: "3gp4", brands: ["3gp4"]), "brand '3gp4'"),
            (SampleMovie.MP4(tracks: [SampleMovie.track("vide", "encv")]), "protected"),
            (SampleMovie.MP4(tracks: [SampleMovie.track("text", "tx3g")]), "'text'"),
        ] {
            let error = mediaRefusal(of: movie.bytes)
            #expect(error?.code == .unsupported)
            #expect(error?.reason.contains(reason) == true, "\(error.debugDescription)")
        }
        #expect(mediaRefusal(of: SampleMovie.MP4(tracks: []).bytes)?.code == .corrupt)
    }

    @Test("Truncated media data is detected")
    func cut() throws {
        #expect(try media(SampleMovie.MP4().bytes.dropLast(10)).endsEarly)
        #expect(try media(SampleMovie.avi().dropLast(10)).endsEarly)
        #expect(try !media(SampleMovie.MP4().bytes + [0, 0, 0]).endsEarly)
    }

    @Test("AVI states its duration in its video stream, otherwise in its main header")
    func avi() throws {
        let header = try media(SampleMovie.avi())
        #expect(header.type == .avi && header.coding == "MJPG" && header.duration == 2)
        #expect(header.size == PixelSize(width: 320, height: 240))
        let odd = try media(
            SampleMovie.avi(
                streams: [
                    SampleMovie.stream("auds"), SampleMovie.stream(scale: 1001, rate: 30_000),
                ]))
        #expect(odd.duration == 50.0 * 1001 / 30_000)
        #expect(try media(SampleMovie.avi(streams: [])).duration == 2)
        #expect(mediaRefusal(of: SampleMovie.avi(width: 0))?.code == .dimensions)
    }

    @Test("MPEG-1 and MPEG-2 program streams have a duration from their time stamps")
    func program() throws {
        for isSecond in [false, true] {
            let header = try media(SampleMovie.program(second: isSecond))
            #expect(header.type == .mpeg && header.format == .mpegProgram)
            #expect(header.coding == (isSecond ? "mpeg2video" : "mpeg1video"))
            #expect(header.size == PixelSize(width: 352, height: 288))
            // From the first picture to the end of the last, which lasts 1/25 s.
            #expect(header.duration == 1.04)
        }
    }

    @Test("Time stamps of a program stream may wrap around")
    func wrappedTimes() throws {
        let header = try media(SampleMovie.program(times: [(1 << 33) - 45_000, 45_000]))
        #expect(header.duration == 1.04)
    }

    @Test("Elementary MPEG video states its size, with the extra bits of MPEG-2")
    func video() throws {
        let first = try media(SampleMovie.sequence(hasTables: true))
        #expect(first.type == .mpeg && first.size == PixelSize(width: 352, height: 288))
        let second = try media(SampleMovie.sequence(second: true, width: 8192 + 100))
        #expect(second.type == .mpeg2Video && second.duration == nil)
        #expect(second.size == PixelSize(width: 8292, height: 288))
    }

    @Test("Start codes without a stream are of unknown format")
    func noStream() {
        for bytes in [
            [0, 0, 1, 0xBA] + .zeros(40), [0, 0, 1, 0xB3] + .zeros(40),
            [0, 0, 1, 0xBA, 0x44] + .zeros(8) + [0xF8] + .ascii("nothing like a packet"),
        ] as [[UInt8]] { #expect(mediaRefusal(of: bytes)?.code == .unsupported) }
    }

    @Test("A sound or movie is no picture")
    func picturesOnly() {
        for bytes in [
            SampleSound.wav(), SampleSound.aiff(), SampleSound.mp3(), SampleMovie.avi(),
            SampleMovie.program(), SampleMovie.MP4().bytes,
            SampleMovie.MP4(major: "", brands: []).bytes,
        ] {
            let error = refusal(of: bytes)
            #expect(error?.code == .unsupported && error?.reason == "it is not a picture")
        }
    }

    @Test("A picture is a picture for both probes")
    func pictures() throws {
        let file = ScratchFile(SampleHEIF(brands: ["mif1", "heic", "isom"]).bytes)
        defer { file.remove() }
        guard case .picture(let header) = try Probe().attachment(AttachmentFile(path: file.path))
        else {
            Issue.record("it is taken for a movie")
            return
        }
        #expect(header.format == .heic)
    }
}
