internal import AttachmentContainer
internal import AttachmentModel

/// Parser for MP3 headers: tags, the first frames, and the encoder's frame count in the first one.
struct MP3Probe {
    /// Synchronisation bits occur in other data too, but not four times at the right distance.
    private static let confirmations = 3
    /// Maximum gap between a tag and the first frame; taggers leave zeros there.
    private static let maximumGap = 4096
    /// Limit on leading tags; real files have one, or two after a faulty tagger.
    private static let maximumTags = 4

    private let reader: BoundedReader
    private let end: Int

    private init(_ reader: BoundedReader) throws(HeaderFault) {
        self.reader = reader
        // ID3v1 takes the last 128 bytes.
        let tag = Cursor(reader, from: max(0, reader.length - 128))
        let isTagged = try tag.starts(with: "TAG") && tag.remaining == 128
        end = isTagged ? tag.offset : reader.length
    }

    static func begins(_ reader: BoundedReader) throws(HeaderFault) -> Bool {
        try MP3Probe(reader).confirmedFrame(at: 0) != nil
    }

    /// Without a frame count, the first frame's bit rate gives the duration.
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> MediaHeader {
        let probe = try MP3Probe(reader)
        let (frame, start) = try probe.firstFrame()
        let duration =
            if let frames = try probe.frameCount(in: frame, at: start) {
                Double(frames) * Double(frame.samples) / Double(frame.sampleRate)
            } else {
                Double(probe.end - start) * 8 / Double(frame.bitRate)
            }
        return MediaHeader(
            format: .mp3, type: .mp3, coding: "layer III", duration: duration,
            fileBytes: ByteCount(reader.length))
    }

    private func firstFrame() throws(HeaderFault) -> (MPEGAudioFrame, start: Int) {
        var start = 0
        for _ in 0..<Self.maximumTags {
            guard let bytes = try tagLength(at: start) else { break }
            start += bytes
        }
        guard start < end else { throw .truncated(at: reader.length) }
        for offset in start..<min(end, start + Self.maximumGap) {
            if let frame = try confirmedFrame(at: offset) { return (frame, offset) }
        }
        // A file truncated right after its tag has too few frames to confirm.
        guard end - start > Self.maximumGap else { throw .truncated(at: reader.length) }
        throw .unsupported("it has an MP3 tag, but no MP3 sound after it")
    }

    /// With header and footer; nil without a tag (ID3v2.4.0, 3.1 and 3.4).
    private func tagLength(at offset: Int) throws(HeaderFault) -> Int? {
        var cursor = Cursor(reader, from: offset)
        guard cursor.remaining >= 10, try cursor.starts(with: "ID3") else { return nil }
        try cursor.skip(5)
        let flags = try cursor.uint8()
        var length = 0
        for _ in 0..<4 {
            let byte = try cursor.uint8()
            guard byte < 0x80 else {
                throw .corrupt("an ID3 tag of invalid length", at: offset + 6)
            }
            length = length << 7 | Int(byte)
        }
        return 10 + length + (flags & 0x10 == 0 ? 0 : 10)
    }

    /// Nil unless enough frames of the same stream or the end of the audio follow.
    private func confirmedFrame(at offset: Int) throws(HeaderFault) -> MPEGAudioFrame? {
        guard let first = try frame(at: offset) else { return nil }
        var next = offset + first.length
        for count in 0..<Self.confirmations {
            if next == end { return count > 0 ? first : nil }
            guard let follower = try frame(at: next), follower.isSameStream(as: first) else {
                return nil
            }
            next += follower.length
        }
        return first
    }

    private func frame(at offset: Int) throws(HeaderFault) -> MPEGAudioFrame? {
        var cursor = Cursor(reader, from: offset, to: end)
        guard cursor.remaining >= MPEGAudioFrame.headerBytes, try reader.byte(at: offset) == 0xFF
        else { return nil }
        return MPEGAudioFrame(try cursor.uint32())
    }

    /// Number of frames according to the encoder, in place of the first frame's sound.
    ///
    /// `Xing` or `Info` stands at the start of the main data (Xing decoder source), `VBRI` 32 bytes
    /// after the header (Fraunhofer).
    private func frameCount(in frame: MPEGAudioFrame, at start: Int) throws(HeaderFault) -> Int? {
        var xing = Cursor(reader, from: start + frame.mainData, to: start + frame.length)
        if try xing.starts(with: "Xing", "Info"), xing.remaining >= 12 {
            try xing.skip(4)
            guard try xing.uint32() & 1 == 1 else { return nil }
            return Int(try xing.uint32())
        }
        var vbri = Cursor(
            reader, from: start + MPEGAudioFrame.headerBytes + 32, to: start + frame.length)
        guard try vbri.starts(with: "VBRI"), vbri.remaining >= 18 else { return nil }
        try vbri.skip(14)
        return Int(try vbri.uint32())
    }
}
