import AttachmentModel

/// Frames of a GIF (GIF89a).
///
/// Choices that the specification leaves open follow Blink, WebKit and Gecko. Undrawn and disposed
/// pixels are transparent, not background-coloured. The canvas grows to hold the first frame; later
/// frames are clipped to it.
final class GIFAnimationFrames: AnimatedFrames {
    let canvas: AnimationCanvas
    private let file: OpenFile
    private let isTolerant: Bool
    private var blocks: GIFBlocks
    /// First frame, read ahead because the canvas depends on it.
    private var first: GIFFrame?
    private var current: GIFFrame?
    private var disposal = FrameDisposal()

    init(_ file: OpenFile, in space: PlaneSpace, isTolerant: Bool) throws(DecodingFault) {
        var blocks = try GIFBlocks(file, isTolerant: isTolerant)
        guard let first = try blocks.readFrame() else {
            throw DecodingFault(.corrupt, at: file.length, "a GIF without a picture")
        }
        let size = blocks.screen.canvas(for: first)
        canvas = AnimationCanvas(width: size.width, height: size.height, in: space)
        self.first = first
        self.blocks = blocks
        (self.file, self.isTolerant) = (file, isTolerant)
    }

    /// The file counts repetitions after the first play; without a count there is one play.
    var plays: Int? { blocks.repetitions.map { $0 == 0 ? nil : $0 + 1 } ?? 1 }

    var faults: Set<HarmlessFault> { blocks.faults }

    func next() throws(DecodingFault) -> AnimationFrame? {
        let frame = if let first = takeFirst() { first } else { try blocks.readFrame() }
        current = frame
        guard let frame else { return nil }
        let isComplete = try blocks.skipSubBlocks()
        guard isComplete || isTolerant else {
            throw DecodingFault(.truncated, at: blocks.length, "the GIF ends within a frame")
        }
        let visible = frame.rect.intersection(canvas.bounds)
        // Data of few bytes end before the pixels that a damaged frame claims beyond the canvas, but
        // the frame still exceeds it.
        let decodable = max(visible.area + 1, file.length * Self.mostPixelsPerByte)
        return AnimationFrame(
            rect: visible, codedPixels: min(frame.rect.area, decodable),
            milliseconds: (frame.control.delay ?? 0) * 10, isComplete: isComplete)
    }

    /// A code of 12 bits stands for at most 4096 pixels (GIF89a, appendix F).
    private static let mostPixelsPerByte = 4096 * 8 / 12 + 1

    private func takeFirst() -> GIFFrame? {
        defer { first = nil }
        return first
    }

    func draw() throws(DecodingFault) -> ChangedRegion {
        guard let frame = current else { return ChangedRegion() }
        current = nil
        let rect = frame.rect.intersection(canvas.bounds)
        return try disposal.draw(rect, then: frame.control.disposal, on: canvas) {
            () throws(DecodingFault) in try draw(frame, within: rect)
        }
    }

    private func draw(_ frame: GIFFrame, within rect: PixelRect) throws(DecodingFault) {
        guard !rect.isEmpty else { return }
        let reader = GIFIndexReader(file, frame: frame, isTolerant: isTolerant)
        let colours = (frame.localColours ?? blocks.screen.colours)
            .pixels(transparentIndex: frame.control.transparentIndex)
        // Rows are written in file order, so that one reader is enough.
        for row in GIFInterlace.order(of: frame.height, isInterlaced: frame.isInterlaced) {
            let indices = try reader.next(frame.width)
            let y = frame.rect.top + row
            if y < rect.bottom {
                // A row cut at the right edge of the canvas is clipped.
                let target = try canvas.row(y) + rect.left
                let drawn = min(indices.count, rect.width)
                colours.withUnsafeBufferPointer { colours in
                    for x in 0..<drawn {
                        let colour = colours[Int(indices[x])]
                        if colour != 0 { target[x] = colour }
                    }
                }
            }
            guard indices.count == frame.width else { return }
        }
    }
}
