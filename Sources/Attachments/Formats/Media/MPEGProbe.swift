internal import AttachmentContainer
internal import AttachmentModel

struct MPEGProbe {
    /// Bytes searched at the front: the first sequence begins in the first packets.
    private static let frontBytes = 128 << 10
    /// Bytes searched at the end for the last time stamps: half a second at 3 Mbit/s.
    private static let tailBytes = 192 << 10
    /// Maximum time span of one program, in seconds: a day.
    private static let longest = 86_400.0

    private var sequence: MPEGSequence?
    private var starts: [UInt8: Int] = [:]

    static func beginsWithPack(_ reader: BoundedReader) throws(HeaderFault) -> Bool {
        var cursor = Cursor(reader, from: 0)
        guard try cursor.startCode() == StartCode.pack, try skipPack(&cursor) else { return false }
        guard cursor.remaining >= StartCode.length else { return true }
        return try cursor.startCode() != nil
    }

    static func beginsWithSequence(_ reader: BoundedReader) throws(HeaderFault) -> Bool {
        var cursor = Cursor(reader, from: 0)
        guard try cursor.startCode() == StartCode.sequence else { return false }
        return try MPEGSequence(&cursor) != nil
    }

    /// Parses a file that begins with a sequence; elementary video has no duration.
    static func videoHeader(_ reader: BoundedReader) throws(HeaderFault) -> MediaHeader {
        let front = Cursor(reader, from: 0, to: frontBytes)
        guard let sequence = try MPEGSequence.first(in: front) else {
            throw .corrupt("MPEG video without a sequence", at: 0)
        }
        return MediaHeader(
            format: .mpegVideo, type: sequence.isMPEG2 ? .mpeg2Video : .mpeg,
            coding: sequence.coding, size: sequence.size, fileBytes: ByteCount(reader.length))
    }

    /// Parses a file that begins with a pack; the duration spans the first to the last picture.
    static func programHeader(_ reader: BoundedReader) throws(HeaderFault) -> MediaHeader {
        var probe = MPEGProbe()
        try probe.readFront(Cursor(reader, from: 0, to: frontBytes))
        guard !probe.starts.isEmpty || probe.sequence != nil else {
            guard reader.length > frontBytes else { throw .truncated(at: reader.length) }
            throw .unsupported("an MPEG stream without sound or pictures at its start")
        }
        return MediaHeader(
            format: .mpegProgram, type: .mpeg, coding: probe.sequence?.coding,
            duration: try probe.duration(reader), size: probe.sequence?.size,
            fileBytes: ByteCount(reader.length))
    }

    private mutating func readFront(_ front: Cursor) throws(HeaderFault) {
        var cursor = front
        while sequence == nil, cursor.remaining >= StartCode.length + 2 {
            guard let code = try cursor.startCode() else { return }
            switch code {
            case StartCode.pack:
                guard try Self.skipPack(&cursor) else { return }
            case StartCode.systemHeader...:
                let packet = try MPEGPacket(code, &cursor)
                guard packet.isMedia else { continue }
                if let time = packet.presentation, starts[code] == nil { starts[code] = time }
                if StartCode.videoStreams.contains(code) {
                    sequence = try MPEGSequence.first(in: packet.payload)
                }
            default:
                return
            }
        }
    }

    /// Time from the first picture to the end of the last; of the sound without pictures.
    private func duration(_ reader: BoundedReader) throws(HeaderFault) -> Double? {
        let video = starts.keys.filter { StartCode.videoStreams.contains($0) }.min()
        guard let stream = video ?? starts.keys.min(), let start = starts[stream] else {
            return nil
        }
        var cursor = Cursor(reader, from: max(0, reader.length - Self.tailBytes))
        // Times are modulo 2³³, and pictures are not stored in display order.
        var last = 0
        while try cursor.skipToStartCode() {
            guard try cursor.startCode() == stream, cursor.remaining >= 2 else { continue }
            // Audio bytes that resemble a packet must not hide real packets after them.
            var look = cursor
            guard let time = try MPEGPacket(stream, &look).presentation else { continue }
            let elapsed = (time - start) & 0x1_FFFF_FFFF
            if Double(elapsed) / MPEGPacket.clock < Self.longest { last = max(last, elapsed) }
        }
        let picture = sequence.map { 1 / $0.frameRate } ?? 0
        return last == 0 ? nil : Double(last) / MPEGPacket.clock + picture
    }

    /// False if invalid or truncated (ISO/IEC 11172-1, 2.4.3.2; ISO/IEC 13818-1, 2.5.3.3).
    private static func skipPack(_ cursor: inout Cursor) throws(HeaderFault) -> Bool {
        guard cursor.remaining >= 10 else { return false }
        let first = try cursor.reader.byte(at: cursor.offset)
        if first & 0xF0 == 0x20 {
            try cursor.skip(8)
            return true
        }
        guard first & 0xC4 == 0x44 else { return false }
        try cursor.skip(9)
        let stuffing = Int(try cursor.uint8() & 7)
        guard stuffing <= cursor.remaining else { return false }
        try cursor.skip(stuffing)
        return true
    }
}

extension MPEGSequence {
    fileprivate var coding: String { isMPEG2 ? "mpeg2video" : "mpeg1video" }
}
