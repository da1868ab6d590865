/// An interlaced PNG as a PNG of the same pixels that is not interlaced, made while it is read.
///
/// The rows of all seven passes are decoded in lockstep, each by an inflater of its own, so that no
/// more than a few rows are ever held. Palette, transparency, profile and what else tells the colours
/// stay what they are; all other ancillary chunks go, since libpng would unpack and keep them, and so
/// does an animation, which leaves the default image. Chunks with a wrong checksum are left out, as
/// libpng does.
///
/// Where each pass begins is found by a first run over half of the picture, in steps: whoever reads
/// gets an empty chunk of image data for each, which is legal (PNG specification, 11.2.3) and gives
/// the occasion to stop.
package final class InterlacedPNGStream: SimplerFile {
    let file: ImageDataInflater.File
    let header: PNGImageHeader
    let output = PendingBytes()
    var walk: ChunkWalk
    var stage: Stage
    private var fault: DecodingFault?

    /// What is written next.
    enum Stage {
        case chunksBefore
        /// The data of a chunk that is kept, and its checksum.
        case copying(ChunkCopy)
        case scanning(PassScan)
        case rows(StoredImageData, ImageDataInflater)
        /// The image data behind the last row, which have no pixels.
        case rest(ImageDataInflater)
        case chunksBehind
        case end
    }

    /// The first eight bytes of every PNG (5.2).
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Reads the header of an interlaced PNG.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading; it stays the caller's, and stays open as long as
    ///     this is read.
    ///   - length: Its length in bytes.
    ///   - isTolerant: Whether a damaged picture is wanted: wrong checksums are passed over, and
    ///     pixels that are missing are those of the passes before.
    /// - Throws: `corrupt`, `truncated` and `unreadable`; `unsupported` when it is not interlaced;
    ///   `overCeiling` for a side of more than a million pixels.
    package init(descriptor: CInt, length: Int, isTolerant: Bool) throws(DecodingFault) {
        file = .init(descriptor: descriptor, length: length, isTolerant: isTolerant)
        var walk = ChunkWalk(descriptor: descriptor, length: length, isTolerant: isTolerant)
        guard try walk.read(Self.signature.count) == Self.signature else {
            throw DecodingFault(.corrupt, at: 0, "it is not a PNG")
        }
        let chunk = try walk.readHeader()
        let offset = walk.offset
        guard chunk.type == .imageHeader, chunk.length == PNGImageHeader.byteCount else {
            throw DecodingFault(
                chunk.type == "CgBI" ? .unsupported : .corrupt, at: offset,
                "it does not begin with its header")
        }
        header = try PNGImageHeader(try walk.read(chunk.length), at: offset)
        walk.seek(to: offset)
        guard try walk.check(chunk).isRight || isTolerant else {
            throw DecodingFault(.corrupt, at: offset, "the checksum of its header is wrong")
        }
        self.walk = walk
        stage = .chunksBefore
        output.append(Self.signature)
        output.beginChunk(.imageHeader, length: PNGImageHeader.byteCount)
        output.append(header.dataWithoutInterlacing)
        output.endChunk()
    }

    package func read(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Int {
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
