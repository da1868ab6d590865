internal import AttachmentContainer
internal import AttachmentModel

/// Parser for AVI headers (Microsoft, "AVI RIFF File Reference").
struct AVIProbe {
    private static let maximumStreams = 64

    private var main: MainHeader?
    private var video: VideoStream?

    static func header(_ reader: BoundedReader) throws(HeaderFault) -> MediaHeader {
        var riff = ChunkSequence(Cursor(reader, from: 0, .little))
        guard let form = try riff.next() else { throw .truncated(at: reader.length) }
        var chunks = ChunkSequence(Cursor(reader, from: 12, .little))
        var probe = AVIProbe()
        while let chunk = try chunks.next() {
            guard try chunk.isList("hdrl") else { continue }
            try probe.read(ChunkSequence(chunk.payload.advanced(by: 4)))
            break
        }
        guard let main = probe.main else { throw .truncated(at: reader.length) }
        return MediaHeader(
            format: .avi, type: .avi, coding: probe.video?.coding,
            duration: probe.video?.duration ?? main.duration, size: main.size,
            endsEarly: form.endsEarly, fileBytes: ByteCount(reader.length))
    }

    private mutating func read(_ list: ChunkSequence) throws(HeaderFault) {
        var (chunks, streams) = (list, 0)
        while var chunk = try chunks.next() {
            if chunk.type == "avih" {
                main = try MainHeader(&chunk.payload)
            } else if video == nil, streams < Self.maximumStreams, try chunk.isList("strl") {
                streams += 1
                var parts = ChunkSequence(chunk.payload.advanced(by: 4))
                while video == nil, var part = try parts.next() {
                    guard part.type == "strh" else { continue }
                    video = try VideoStream(&part.payload)
                    break
                }
            }
        }
    }

    private struct MainHeader {
        let size: PixelSize
        let duration: Double?

        init(_ cursor: inout Cursor) throws(HeaderFault) {
            let microseconds = Int(try cursor.uint32())
            try cursor.skip(12)
            let frames = Int(try cursor.uint32())
            try cursor.skip(12)
            let width = Int(try cursor.uint32())
            size = try PixelSize(claimed: width, Int(try cursor.uint32()))
            let duration = Double(microseconds) * Double(frames) / 1_000_000
            self.duration = duration > 0 ? duration : nil
        }
    }

    private struct VideoStream {
        let coding: String?
        let duration: Double?

        init?(_ cursor: inout Cursor) throws(HeaderFault) {
            guard try cursor.fourCC() == "vids" else { return nil }
            let handler = try cursor.fourCC()
            try cursor.skip(12)
            let (scale, rate) = (Int(try cursor.uint32()), Int(try cursor.uint32()))
            try cursor.skip(4)
            let frames = Int(try cursor.uint32())
            coding = handler.rawValue == 0 ? nil : handler.description
            let duration = rate == 0 ? 0 : Double(frames) * Double(scale) / Double(rate)
            self.duration = duration > 0 ? duration : nil
        }
    }
}

extension Chunk {
    fileprivate func isList(_ kind: FourCC) throws(HeaderFault) -> Bool {
        guard type == "LIST" else { return false }
        var cursor = payload
        return try cursor.fourCC() == kind
    }
}
