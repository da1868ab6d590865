import AttachmentModel

/// Frames of an animated PNG (third edition, 13.1 and 11.3.6).
///
/// The default image is a frame only if an fcTL chunk precedes it. Frames come in file order;
/// sequence numbers are not checked.
final class APNGAnimationFrames: AnimatedFrames {
    let canvas: AnimationCanvas
    let plays: Int?
    private let file: OpenFile
    private let isTolerant: Bool
    private let head: APNGHead
    private var chunks: APNGChunks
    private var current: APNGFrame?
    private var frameCount = 0
    private var disposal = FrameDisposal()

    /// Reads up to the first frame; throws `unsupported` for a still picture.
    init(_ file: OpenFile, in space: PlaneSpace, isTolerant: Bool) throws(DecodingFault) {
        var chunks = try APNGChunks(file)
        head = try APNGHead(&chunks)
        canvas = AnimationCanvas(
            width: head.image.width, height: head.image.height, in: space)
        plays = head.playCount == 0 ? nil : head.playCount
        self.chunks = chunks
        (self.file, self.isTolerant) = (file, isTolerant)
    }

    /// Reads the chunks up to the image data, as for a still.
    func readColours() throws(DecodingFault) -> CanvasColours {
        var walk = ChunkWalk(file, isTolerant: true)
        let (header, offset) = try walk.readImageHeader()
        let isGrey = try header.checkedColourType(at: offset).isGrey
        let colours = try PNGHead(&walk)
        return CanvasColours(
            isGrey: isGrey, profile: colours.profile, tags: colours.colours.tags(isGrey: isGrey),
            notes: walk.hasWrongChecksum ? [HarmlessFault.ancillaryChecksum.rawValue] : [])
    }

    func next() throws(DecodingFault) -> AnimationFrame? {
        current = nil
        while let chunk = try chunks.next() {
            guard chunk.type != .imageEnd else { return nil }
            guard chunk.type == .frameControl else { continue }
            guard chunk.length == APNGFrame.byteCount else {
                throw DecodingFault(.corrupt, at: chunk.offset, "a malformed fcTL chunk")
            }
            var frame = try APNGFrame(try chunks.bytes(of: chunk), at: chunk.offset)
            guard frame.rect == frame.rect.intersection(canvas.bounds) else {
                throw DecodingFault(.corrupt, at: chunk.offset, "a frame exceeds the canvas")
            }
            frameCount += 1
            try findData(of: &frame)
            guard frame.isComplete || isTolerant else {
                throw DecodingFault(.truncated, at: chunks.length, "the file ends within a frame")
            }
            // Unsupported rather than corrupt: still decoders can read the file.
            guard frame.firstData != nil || isTolerant else {
                throw DecodingFault(.unsupported, at: chunk.offset, "a frame without data")
            }
            current = frame
            return AnimationFrame(
                rect: frame.rect, codedPixels: frame.rect.area, milliseconds: frame.milliseconds,
                isComplete: frame.isComplete)
        }
        return nil
    }

    private func findData(of frame: inout APNGFrame) throws(DecodingFault) {
        while true {
            guard let chunk = try chunks.next() else {
                // Only IEND is missing after all data of the last frame; drawing it finds missing rows.
                frame.isComplete = frame.firstData != nil && frameCount >= head.frameCount
                return
            }
            switch chunk.type {
            case .imageData, .frameData:
                frame.firstData = frame.firstData ?? chunk
                frame.isComplete = chunks.isComplete(chunk)
                guard frame.isComplete else { return }
            case .frameControl, .imageEnd:
                chunks.seek(to: chunk)
                return
            default: break
            }
        }
    }

    func draw() throws(DecodingFault) -> ChangedRegion {
        guard let frame = current else { return ChangedRegion() }
        current = nil
        return try disposal.draw(frame.rect, then: frame.disposal, on: canvas) {
            () throws(DecodingFault) in try draw(frame)
        }
    }

    private func draw(_ frame: APNGFrame) throws(DecodingFault) {
        let data = try frame.open(file, isTolerant: isTolerant)
        let passes = Adam7.passes(
            width: frame.rect.width, height: frame.rect.height,
            isInterlaced: head.image.isInterlaced)
        // A pass without pixels has no rows in the data (8.1).
        for pass in passes where pass.width > 0 {
            let rows = PNGFilteredRows(data, pass, of: head.image)
            let lattice = pass.lattice
            for y in stride(from: lattice.firstRow, to: frame.rect.height, by: lattice.rowStep) {
                guard let row = try rows.next() else { return }
                let target = try canvas.row(frame.rect.top + y) + frame.rect.left
                for index in 0..<pass.width {
                    let x = lattice.firstColumn + index * lattice.columnStep
                    let pixel = head.samples.pixel(index, of: row)
                    target[x] = frame.isBlended ? RowDrawing.over(pixel, target[x]) : pixel
                }
            }
        }
        // Checks the checksums of the remaining chunks.
        while !isTolerant, try data.skipRest() == nil {}
    }
}
