internal import AttachmentContainer
internal import AttachmentPlanning

/// Reads the header of an MPEG stream: a program stream, or video alone.
struct MPEGProbe {
    /// How much of the front is looked through: the first sequence begins in the first packets.
    private static let frontBytes = 128 << 10
    /// How much of the end is looked through for the last times: half a second at 3 Mbit/s, and
    /// in every stream of a few seconds some picture's.
    private static let tailBytes = 192 << 10
    /// Times of one program are not further apart, even at the lowest bit rates: a day.
    private static let longest = 86_400.0

    private var sequence: MPEGSequence?
    /// The first time of each stream.
    private var starts: [UInt8: Int] = [:]

    /// Whether a file begins with a pack of a program stream.
    ///
    /// - Parameter reader: The file.
    /// - Returns: True when the pack's markers are in place and another part follows, or the file
    ///   ends before one could.
    /// - Throws: `overBudget`, `unreadable`.
    static func beginsWithPack(_ reader: BoundedReader) throws(HeaderFault) -> Bool {
        var cursor = Cursor(reader, from: 0)
        guard try cursor.startCode() == StartCode.pack, try skipPack(&cursor) else { return false }
        guard cursor.remaining >= StartCode.length else { return true }
        return try cursor.startCode() != nil
    }

    /// Whether a file begins with a sequence of video.
    ///
    /// - Parameter reader: The file.
    /// - Returns: True when the sequence's fields may be and a part of it follows.
    /// - Throws: `overBudget`, `unreadable`.
    static func beginsWithSequence(_ reader: BoundedReader) throws(HeaderFault) -> Bool {
        var cursor = Cursor(reader, from: 0)
        guard try cursor.startCode() == StartCode.sequence else { return false }
        return try MPEGSequence(&cursor) != nil
    }

    /// Reads the header of a file that begins with a sequence.
    ///
    /// - Parameter reader: The file.
    /// - Returns: What the header says. Video alone does not say how long it is.
    /// - Throws: `HeaderFault` of any kind.
    static func videoHeader(_ reader: BoundedReader) throws(HeaderFault) -> MediaHeader {
        let front = Cursor(reader, from: 0, to: frontBytes)
        guard let sequence = try MPEGSequence.first(in: front) else {
            throw .corrupt("MPEG video without a sequence", at: 0)
        }
        return MediaHeader(
            format: .mpegVideo, type: sequence.isSecond ? .mpeg2Video : .mpeg,
            coding: sequence.coding, size: sequence.size, fileBytes: ByteCount(reader.length))
    }

    /// Reads the header of a file that begins with a pack.
    ///
    /// - Parameter reader: The file.
    /// - Returns: What the header says. The duration is that from the first picture to the last.
    /// - Throws: `HeaderFault` of any kind.
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

    /// Goes through the packets up to the first sequence; stops where there is no packet.
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

    /// From the first picture, or else the first sound, to the end of the last; nil when either is
    /// not found.
    private func duration(_ reader: BoundedReader) throws(HeaderFault) -> Double? {
        let video = starts.keys.filter { StartCode.videoStreams.contains($0) }.min()
        guard let stream = video ?? starts.keys.min(), let start = starts[stream] else {
            return nil
        }
        var cursor = Cursor(reader, from: max(0, reader.length - Self.tailBytes))
        // Modulo 2³³, and pictures are not stored in the order in which they are shown.
        var last = 0
        while try cursor.skipToStartCode() {
            guard try cursor.startCode() == stream, cursor.remaining >= 2 else { continue }
            // Bytes of sound that look like a packet must not hide the packets behind them.
            var look = cursor
            guard let time = try MPEGPacket(stream, &look).presentation else { continue }
            let elapsed = (time - start) & 0x1_FFFF_FFFF
            if Double(elapsed) / MPEGPacket.clock < Self.longest { last = max(last, elapsed) }
        }
        let picture = sequence.map { 1 / $0.frameRate } ?? 0
        return last == 0 ? nil : Double(last) / MPEGPacket.clock + picture
    }

    /// Passes over what stands behind the start code of a pack (ISO/IEC 11172-1, 2.4.3.2; ISO/IEC
    /// 13818-1, 2.5.3.3).
    ///
    /// - Returns: Whether it was a pack; false too when it is cut off.
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
    /// The name of the coding.
    fileprivate var coding: String { isSecond ? "mpeg2video" : "mpeg1video" }
}
