import AttachmentContainer
import AttachmentModel

/// Frames of an animated WebP (RFC 9649, section 2.7.1.1); the background colour is ignored.
final class WebPAnimationFrames: AnimatedFrames {
    let canvas: AnimationCanvas
    let plays: Int?
    private let file: OpenFile
    private let scratch: ScratchSpace
    private let isTolerant: Bool
    private let profile: Range<Int>?
    private var reader: LittleEndianReader
    private var current: WebPAnimationFrame?
    private var disposal = FrameDisposal()

    init(_ file: OpenFile, in space: PlaneSpace, isTolerant: Bool) throws(DecodingFault) {
        var reader = LittleEndianReader(file)
        let head = try WebPAnimationHead(&reader)
        canvas = AnimationCanvas(width: head.width, height: head.height, in: space)
        plays = head.loopCount == 0 ? nil : head.loopCount
        profile = head.profile
        self.reader = reader
        self.file = file
        (scratch, self.isTolerant) = (space.scratch, isTolerant)
    }

    func readColours() throws(DecodingFault) -> CanvasColours {
        CanvasColours(profile: try ColourProfile.read(profile, of: file))
    }

    func next() throws(DecodingFault) -> AnimationFrame? {
        let frame = try WebPAnimationFrame(&reader, length: file.length)
        current = frame
        guard let frame else { return nil }
        guard frame.rect == frame.rect.intersection(canvas.bounds) else {
            throw DecodingFault(.corrupt, at: frame.data.lowerBound, "a frame exceeds the canvas")
        }
        guard frame.isComplete || isTolerant else {
            throw DecodingFault(.truncated, at: file.length, "the file ends within a frame")
        }
        return AnimationFrame(
            rect: frame.rect, codedPixels: frame.rect.area, milliseconds: frame.milliseconds,
            isComplete: frame.isComplete)
    }

    func draw() throws(DecodingFault) -> ChangedRegion {
        guard let frame = current else { return ChangedRegion() }
        current = nil
        let method = frame.isCleared ? FrameDisposal.Method.restoreBackground : .keep
        return try disposal.draw(frame.rect, then: method, on: canvas) {
            () throws(DecodingFault) in try draw(frame)
        }
    }

    private func draw(_ frame: WebPAnimationFrame) throws(DecodingFault) {
        let rows = try open(frame)
        guard rows.layout.width == frame.rect.width, rows.layout.height == frame.rect.height else {
            throw DecodingFault(
                .corrupt, at: frame.data.lowerBound, "a frame's size differs from its header")
        }
        let row = UnsafeMutableRawBufferPointer.allocate(
            byteCount: rows.layout.rowBytes, alignment: 8)
        defer { row.deallocate() }
        for y in frame.rect.top..<frame.rect.bottom {
            try rows.readRow(into: row)
            RowDrawing.draw(
                UnsafeRawBufferPointer(row), bands: rows.layout.bands, 0..<frame.rect.width,
                on: try canvas.row(y) + frame.rect.left, isBlended: frame.isBlended)
        }
    }

    private func open(_ frame: WebPAnimationFrame) throws(DecodingFault) -> any DecodedRows {
        let container = try WebPContainer(frame: frame.data, in: file)
        // Not tolerant: a truncated frame draws the rows that it has. Blank rows would replace the
        // canvas.
        guard !container.isLossless else {
            return try LosslessWebPRows(container, in: file, scratch: scratch, isTolerant: false)
        }
        let size = PixelSize(width: frame.rect.width, height: frame.rect.height)
        return try LossyWebPRows(
            container, in: file, size: size, scratch: scratch, isTolerant: false)
    }
}
