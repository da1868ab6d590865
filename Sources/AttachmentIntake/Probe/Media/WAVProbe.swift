internal import AttachmentContainer
internal import AttachmentPlanning

/// Reads the header of a WAV file: its format and the length of its sound (Microsoft, "New
/// Multimedia Data Types and Data Techniques", 1994).
struct WAVProbe {
    private var format: Format?
    private var samples: Int?

    /// Reads the header of a file that begins with `RIFF` and `WAVE`.
    ///
    /// - Parameter reader: The file.
    /// - Returns: What the header says.
    /// - Throws: `HeaderFault` of any kind.
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
        // Of compressed sound, the bytes do not tell how much it is.
        let samples = format.isUncompressed ? nil : samples
        let duration =
            samples.map { Double($0) / Double(format.sampleRate) }
            ?? Double(data.payload.remaining) / Double(format.bytesPerSecond)
        return MediaHeader(
            format: .wav, type: .wav, coding: format.name, duration: duration,
            endsEarly: data.endsEarly, fileBytes: ByteCount(fileBytes))
    }

    /// The `fmt ` chunk.
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

        /// PCM, floating-point numbers, and both of them with a longer description.
        var isUncompressed: Bool { [0x0001, 0x0003, 0xFFFE].contains(tag) }

        /// The names of RFC 2361, as far as files are still made; else the number.
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
