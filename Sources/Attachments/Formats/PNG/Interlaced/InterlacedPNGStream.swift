package import AttachmentModel

/// Converts an interlaced PNG to a non-interlaced PNG of the same pixels while it is read.
///
/// Decodes the rows of all seven passes in lockstep, each with its own inflater. Keeps the palette
/// and the chunks that affect colour, if their checksums are right. Drops an animation but not its
/// default image.
///
/// A first run over half of the image finds the start of each pass. For each step of that run, the
/// reader receives an empty image-data chunk, which is legal (PNG specification, 11.2.3) and lets
/// the reader cancel.
package final class InterlacedPNGStream: SimplerFile {
    let source: ImageDataInflater.Source
    let header: PNGImageHeader
    let notes: DecodingNotes
    let output = PendingBytes()
    var walk: ChunkWalk
    var stage: Stage
    private var fault: DecodingFault?

    enum Stage {
        case chunksBefore
        case copying(ChunkCopy)
        case scanning(PassScan)
        case rows(StoredImageData, ImageDataInflater)
        case rest(ImageDataInflater)
        case chunksAfter
        case end
    }

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Reads the header of an interlaced PNG.
    ///
    /// In tolerant mode, ignores wrong checksums and fills missing pixels from earlier passes.
    package init(
        _ file: OpenFile, isTolerant: Bool, notes: DecodingNotes = DecodingNotes()
    ) throws(DecodingFault) {
        self.notes = notes
        source = .init(file: file, isTolerant: isTolerant)
        var walk = ChunkWalk(file, isTolerant: isTolerant)
        let offset: Int
        (header, offset) = try walk.readImageHeader()
        guard header.isInterlaced else {
            throw DecodingFault(.unsupported, at: offset + 12, "it is not interlaced")
        }
        self.walk = walk
        stage = .chunksBefore
        output.append(Self.signature)
        output.beginChunk(.imageHeader, length: PNGImageHeader.byteCount)
        output.append(header.dataWithoutInterlacing)
        output.endChunk()
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        if let fault { throw fault }
        do throws(DecodingFault) {
            while output.isEmpty {
                if case .end = stage { return 0 }
                try step()
            }
        } catch {
            fault = error
            throw error
        }
        return output.take(into: buffer)
    }
}
