import AttachmentContainer
import AttachmentModel
import SampleMedia
import Testing

@Suite("Sound headers", .timeLimit(.minutes(1))) struct SoundProbeTests {
    @Test("WAV has a duration from its bytes, or from its samples if compressed")
    func wav() throws {
        let plain = try media(SampleSound.wav())
        #expect(plain.type == .wav && plain.format == .wav && plain.coding == "pcm")
        #expect(plain.duration == 0.5 && plain.size == nil && !plain.endsEarly)
        let adpcm = try media(SampleSound.wav(tag: 2, fact: 16_000))
        #expect(adpcm.duration == 2 && adpcm.coding == "adpcm")
    }

    @Test("A WAV written to a pipe extends to the end of the file")
    func piped() throws {
        for claimed in [0xFFFF_FFFF, 0x7FFF_FFDB] {
            let header = try media(SampleSound.wav(claimed: claimed))
            #expect(header.duration == 0.5 && !header.endsEarly)
        }
    }

    @Test("A WAV that ends before its sound is reported as truncated")
    func shortWAV() throws {
        let header = try media(SampleSound.wav(claimed: 8000))
        #expect(header.endsEarly && header.duration == 0.5)
    }

    @Test("A WAV without channels, samples or a format is corrupt")
    func badWAV() {
        let whole = SampleSound.wav()
        for bytes in [
            SampleSound.wav(rate: 0), SampleSound.wav(bytesPerSecond: 0),
            Array(whole[..<24]) + Array(whole[48...]),
        ] { #expect(mediaRefusal(of: bytes)?.code == .corrupt) }
    }

    @Test("AIFF and AIFF-C state frames and an 80-bit rate, in either chunk order")
    func aiff() throws {
        for soundFirst in [false, true] {
            let plain = try media(SampleSound.aiff(soundFirst: soundFirst))
            #expect(plain.type == .aiff && plain.duration == 0.5 && plain.coding == "pcm")
            let compressed = try media(
                SampleSound.aiff(compressed: "ima4", soundFirst: soundFirst))
            #expect(compressed.type == .aiff && compressed.coding == "ima4")
        }
    }

    @Test(
        "An invalid rate is corrupt",
        arguments: [
            .zeros(10), [0x7F, 0xFF] + .zeros(8), [0xC0, 0x0E, 0xAC, 0x44] + .zeros(6),
            [0x7F, 0xFE] + [UInt8](repeating: 0xFF, count: 8), [0, 0] + .big64(1),
        ] as [[UInt8]])
    func badRate(rate: [UInt8]) {
        #expect(mediaRefusal(of: SampleSound.aiff(rate: rate))?.code == .corrupt)
    }

    @Test("MP3 without a frame count has a duration from its bit rate")
    func constantBitRate() throws {
        let header = try media(SampleSound.mp3())
        #expect(header.type == .mp3 && header.coding == "layer III")
        #expect(header.duration == Double(4170 * 8) / 128_000)
    }

    @Test("MP3 with a frame count has a duration from it")
    func countedFrames() throws {
        for first in [
            SampleSound.xing("Xing", frames: 1000), SampleSound.xing("Info", frames: 1000),
            SampleSound.vbri(frames: 1000),
        ] {
            let header = try media(SampleSound.mp3(first: first))
            #expect(header.duration == 1000.0 * 1152 / 44_100)
        }
    }

    @Test("Tags at both ends of an MP3, and zeros after the first, are skipped")
    func tags() throws {
        let header = try media(SampleSound.mp3(tag: 3000, gap: 500, hasOldTag: true))
        #expect(header.duration == Double(4170 * 8) / 128_000)
    }

    @Test("A tag followed by other data is not an MP3")
    func tagAlone() {
        let error = mediaRefusal(of: Array(SampleSound.mp3(tag: 100)[..<110]) + .zeros(9000))
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains("no MP3 sound after it") == true)
    }

    @Test("A frame without followers of its stream is not an MP3")
    func unconfirmed() {
        let frame = SampleSound.frame()
        for bytes in [
            frame, frame + .zeros(2000), frame + frame + .zeros(2000),
            // The third frame has another sampling rate.
            frame + frame + [0xFF, 0xFB, 0x94, 0] + .zeros(2000), [0xFF, 0xFE] + .zeros(500),
        ] { #expect(mediaRefusal(of: bytes)?.code == .unsupported) }
        #expect(throws: Never.self) { try media(frame + frame) }
    }

    @Test("Text with the file name of an MP3 is reported as text")
    func text() {
        let error = mediaRefusal(of: .ascii("ID3 tags are explained below\n"))
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains("text") == true)
    }
}
