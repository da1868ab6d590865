internal import CZlib

extension InterlacedPNGStream {
    struct ChunkCopy {
        var remaining: Int
        let checksum: uLong
        let isBeforeImageData: Bool
    }

    private static let copiedBytes = 16 << 10

    /// Reads of surplus image data per step, of one buffer each at most.
    private static let skippedReads = 64

    func step() throws(DecodingFault) {
        switch stage {
        case .chunksBefore: try skipToImageData()
        case .copying(let chunk): try copy(chunk)
        case .scanning(let scan): try advance(scan)
        case .rows(let data, let farthest): try writeRows(data, farthest)
        case .rest(let inflater): try skipRest(inflater)
        case .chunksAfter: try skipToEnd()
        case .end: break
        }
    }

    private func skipToImageData() throws(DecodingFault) {
        switch try walk.next() {
        case .chunk(let chunk, let checksum):
            beginCopy(chunk, checksum, isBeforeImageData: true)
        case .imageData(let length):
            let inflater = try ImageDataInflater(source, at: walk.offset, chunkLength: length)
            stage = .scanning(PassScan(header, inflater: inflater, scratch: nil))
        case .imageEnd:
            throw DecodingFault(.corrupt, at: walk.offset, "it has no image data")
        }
    }

    private func beginCopy(_ chunk: PNGChunk, _ checksum: uLong, isBeforeImageData: Bool) {
        output.beginChunk(chunk.type, length: chunk.length)
        stage = .copying(
            ChunkCopy(
                remaining: chunk.length, checksum: checksum, isBeforeImageData: isBeforeImageData))
    }

    private func copy(_ chunk: ChunkCopy) throws(DecodingFault) {
        var chunk = chunk
        let count = min(chunk.remaining, Self.copiedBytes)
        let output = output
        try walk.copy(count) { bytes in
            if let base = bytes.baseAddress { output.append(base, count: bytes.count) }
        }
        chunk.remaining -= count
        if chunk.remaining > 0 {
            stage = .copying(chunk)
        } else {
            output.append(chunk.checksum)
            walk.seek(to: walk.offset + PNGChunk.checksumBytes)
            stage = chunk.isBeforeImageData ? .chunksBefore : .chunksAfter
        }
    }

    private func advance(_ scan: PassScan) throws(DecodingFault) {
        if try scan.advance() {
            let passes = scan.rows(isTolerant: source.isTolerant)
            let rows = MergedRows(header, passes: passes)
            stage = .rows(StoredImageData(rows, of: header), scan.inflater)
        } else {
            writeEmptyChunk()
        }
    }

    /// Writes an empty chunk, which lets the reader cancel.
    private func writeEmptyChunk() {
        output.beginChunk(.imageData, length: 0)
        output.endChunk()
    }

    private func writeRows(
        _ data: StoredImageData, _ farthest: ImageDataInflater
    ) throws(DecodingFault) {
        try data.writeChunk(to: output)
        guard data.isAtEnd else { return }
        // Checks the end before releasing the last rows: a reader may stop there and miss the
        // damage.
        if let fault = try farthest.finish() { notes.add(fault) }
        try skipRest(farthest)
    }

    private func skipRest(_ inflater: ImageDataInflater) throws(DecodingFault) {
        for _ in 0..<Self.skippedReads {
            if let offset = try inflater.skipRest() {
                walk.seek(to: offset)
                return stage = .chunksAfter
            }
        }
        writeEmptyChunk()
        stage = .rest(inflater)
    }

    private func skipToEnd() throws(DecodingFault) {
        do throws(DecodingFault) {
            switch try walk.next() {
            case .chunk(let chunk, let checksum):
                return beginCopy(chunk, checksum, isBeforeImageData: false)
            case .imageData(let length):
                // libpng also skips image data after another chunk.
                return walk.skipImageData(length)
            case .imageEnd:
                break
            }
        } catch {
            guard source.isTolerant || error.code == .truncated, error.code != .unreadable else {
                throw error
            }
            notes.add(.missingEnd)
        }
        output.beginChunk(.imageEnd, length: 0)
        output.endChunk()
        stage = .end
    }
}
