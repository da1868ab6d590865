import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import SampleMedia
import Testing

@Suite("The probe survives damaged sounds and movies", .timeLimit(.minutes(2)))
struct MediaHostilityTests {
    private static let samples: [[UInt8]] = [
        SampleSound.wav(fact: 4000), SampleSound.aiff(compressed: "ima4"),
        SampleSound.mp3(tag: 40, first: SampleSound.xing("Xing", frames: 10), hasOldTag: true),
        SampleSound.mp3(first: SampleSound.vbri(frames: 10)), SampleMovie.MP4().bytes,
        SampleMovie.MP4(major: "qt  ", isMovieLast: true, isWide: true).bytes,
        SampleMovie.avi(streams: [SampleMovie.stream("auds"), SampleMovie.stream()]),
        SampleMovie.program(), SampleMovie.program(second: false),
        SampleMovie.sequence(second: true, hasTables: true) + .zeros(100),
    ]

    @Test("Every truncation gives a header or a typed error")
    func everyCut() {
        let file = ScratchFile()
        defer { file.remove() }
        for (index, sample) in Self.samples.enumerated() {
            #expect(mediaRefusal(of: sample) == nil, "sample \(index)")
            for length in 1..<sample.count {
                file.overwrite(Array(sample.prefix(length)))
                do throws(AttachmentError) {
                    _ = try file.attachment()
                } catch {
                    // Shorter than its signature, a file has an unknown format.
                    #expect(
                        error.code == .truncated || error.code == .unsupported,
                        "sample \(index), \(length) of \(sample.count): \(error)")
                }
            }
        }
    }

    @Test("A truncation after the header is detected if the header states the length")
    func toldLength() throws {
        for sample in [
            SampleSound.wav(), SampleSound.aiff(), SampleMovie.MP4().bytes, SampleMovie.avi(),
        ] {
            for cut in 1..<60 { #expect(try media(Array(sample.dropLast(cut))).endsEarly) }
        }
    }

    @Test("An implausible duration counts as unknown")
    func absurdDuration() throws {
        let movie = SampleMovie.MP4(duration: .max, timescale: 1, isWide: true)
        #expect(try media(movie.bytes).duration == nil)
        let stream = SampleMovie.stream(scale: 0xFFFF_FFFF, rate: 1)
        #expect(try media(SampleMovie.avi(streams: [stream])).duration == nil)
        let long = SampleMovie.MP4(duration: 1_000_000_000, timescale: 1, isWide: true)
        #expect(try media(long.bytes).duration == 1e9)
    }

    @Test("Thousands of damaged files give a header or a typed error, none after half a minute")
    func mutants() throws {
        let file = ScratchFile()
        defer { file.remove() }
        var random = SplitMix64(seed: 0x6D65_6469)
        let count = Thoroughness.isFull ? 12_000 : 3_000
        var (headers, refusals) = (0, 0)
        for _ in 0..<count {
            var bytes = try #require(Self.samples.randomElement(using: &random))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                Self.damage(&bytes, using: &random)
            }
            file.overwrite(bytes)
            let before = ContinuousClock.now
            do throws(AttachmentError) {
                guard case .media(let header) = try file.attachment() else { continue }
                Self.check(header, of: bytes)
                headers += 1
            } catch {
                #expect(
                    [.unsupported, .truncated, .corrupt, .dimensions, .empty].contains(error.code))
                #expect(!error.reason.isEmpty)
                refusals += 1
            }
            #expect(ContinuousClock.now - before < .seconds(30))
        }
        // Both must be frequent; otherwise the damage is too small or too large to be useful.
        #expect(
            headers > count / 6 && refusals > count / 12, "\(headers) headers, \(refusals) refusals"
        )
    }

    @Test("Endless chunks and boxes are abandoned")
    func endless() {
        let chunks: [UInt8] = Array(
            repeatElement(SampleSound.chunk("junk", []), count: 20_000).joined())
        let wav = .ascii("RIFF") + .little32(0) + .ascii("WAVE") + chunks
        let boxes: [UInt8] = Array(
            repeatElement(SampleMovie.box("free", []), count: 20_000).joined())
        let movie = SampleMovie.box("ftyp", .ascii("isom") + .zeros(4)) + boxes
        for bytes in [wav, movie] { #expect(mediaRefusal(of: bytes)?.code == .corrupt) }
        // Every byte resembles the start of a frame, but there is no frame.
        let syncs = [UInt8](repeating: 0xFF, count: 2 << 20)
        #expect(mediaRefusal(of: syncs)?.code == .unsupported)
        let sync: [UInt8] = [0xFF, 0xFB, 0x90, 0xFF]
        let frames = Array(repeatElement(sync, count: 40_000).joined())
        #expect(mediaRefusal(of: SampleSound.mp3(tag: 10) + frames) == nil)
        let tagged = Array(SampleSound.mp3(tag: 10)[..<20]) + frames
        #expect(mediaRefusal(of: tagged)?.code == .unsupported)
    }

    @Test("A sparse file of 60 MB is identified from a few kilobytes")
    func sparse() throws {
        let file = ScratchFile(SampleMovie.MP4(data: []).bytes.dropLast(8))
        defer { file.remove() }
        // The media data box extends to the end of the file, which is a hole.
        let end = FileHandle(forUpdatingAtPath: file.path)
        try end?.seekToEnd()
        try end?.write(contentsOf: [UInt8].big32(0) + .ascii("mdat"))
        try end?.truncate(atOffset: 60_000_000)
        try end?.close()
        guard case .media(let header) = try Probe().attachment(AttachmentFile(path: file.path))
        else {
            throw NoMedia()
        }
        #expect(header.fileBytes == .megabytes(60) && !header.endsEarly)
    }

    private static func check(_ header: MediaHeader, of bytes: [UInt8]) {
        #expect(header.duration.map { $0.isFinite && $0 >= 0 } ?? true)
        #expect(header.size.map { $0.width > 0 && $0.height > 0 } ?? true)
        #expect(header.type.kind == .movie || header.size == nil)
        #expect(header.fileBytes.bytes == bytes.count)
    }

    private static func damage(_ bytes: inout [UInt8], using random: inout SplitMix64) {
        guard let place = bytes.indices.randomElement(using: &random) else { return }
        // Most of a sample is padding; damage to the first bytes is more useful.
        let front = Bool.random(using: &random) ? place % min(bytes.count, 400) : place
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[front] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[front] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 2: bytes.removeSubrange(place...)
        case 3: bytes.remove(at: front)
        case 4: bytes.insert(UInt8.random(in: 0...255, using: &random), at: front)
        default:
            let value = [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF, bytes.count].randomElement(using: &random)
            let number: [UInt8] =
                Bool.random(using: &random) ? .big32(value ?? 0) : .little32(value ?? 0)
            let end = min(front + 4, bytes.count)
            bytes.replaceSubrange(front..<end, with: number.prefix(end - front))
        }
    }
}

extension ScratchFile {
    fileprivate func attachment() throws(AttachmentError) -> ProbedAttachment {
        try Probe().attachment(AttachmentFile(path: path))
    }
}
