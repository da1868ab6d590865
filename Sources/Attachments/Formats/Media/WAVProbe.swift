internal import AttachmentContainer
internal import AttachmentModel

/// Parser for headers (Microsoft, "New Multimedia Data Types and Data Techniques", 1994).
struct WAVProbe {
    private var format: Format?
    private var samples: Int?

    static func header(_ reader: BoundedReader) throws(HeaderFault) -> MediaHeader {
        var chunks = ChunkSequence(Cursor(reader, from: 12, .little))
        var probe = WAVProbe()
        while var chunk = try chunks.next() {
            switch chunk.type {
            case "fmt ": probe.format = try Format(&chunk.payload, at: chunk.start)
            case "fact": probe.samples = Int(try chunk.payload.uint32())
            case "data": return try probe.header(chunk, fileBytes: reader.length)
            default: break
            }
        }
        throw .truncated(at: reader.length)
    }

    private func header(_ data: Chunk, fileBytes: Int) throws(HeaderFault) -> MediaHeader {
        guard let format else {
            throw .corrupt("a WAV sound without its format", at: data.start)
        }
        // For compressed sound, the length in bytes does not give the number of samples.
        let samples = format.isUncompressed ? nil : samples
        let duration =
            samples.map { Double($0) / Double(format.sampleRate) }
            ?? Double(data.payload.remaining) / Double(format.bytesPerSecond)
        return MediaHeader(
            format: .wav, type: .wav, coding: format.name, duration: duration,
            endsEarly: data.endsEarly, fileBytes: ByteCount(fileBytes))
    }

    private struct Format {
        let tag: Int
        let sampleRate: Int
        let bytesPerSecond: Int

        init(_ cursor: inout Cursor, at start: Int) throws(HeaderFault) {
            tag = Int(try cursor.uint16())
            let channels = try cursor.uint16()
            (sampleRate, bytesPerSecond) = (Int(try cursor.uint32()), Int(try cursor.uint32()))
            guard channels > 0, sampleRate > 0, bytesPerSecond > 0 else {
                throw .corrupt("a WAV sound without channels or samples", at: start)
            }
        }

        var isUncompressed: Bool { [0x0001, 0x0003, 0xFFFE].contains(tag) }

        /// Codec name of RFC 2361 for common codecs; otherwise the number.
        var name: String {
            switch tag {
            case 0x0001, 0xFFFE: "pcm"
            case 0x0003: "float"
            case 0x0006: "a-law"
            case 0x0007: "mu-law"
            case 0x0002, 0x0011: "adpcm"
            case 0x0055: "mp3"
            default: "0x" + String(tag, radix: 16)
            }
        }
    }
}
