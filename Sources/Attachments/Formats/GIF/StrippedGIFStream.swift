package import AttachmentModel

/// The first picture of a GIF without comments, plain text and application data (GIF89a, sections 24
/// to 26).
///
/// Blocks that a picture consists of pass through unchanged. The output ends with a trailer.
package final class StrippedGIFStream: SimplerFile {
    private var window: FileWindow
    /// Bytes to copy before the next block.
    private var remaining = 0
    private var state = State.start

    private enum State { case start, blocks, imageData, end }

    package init(_ file: OpenFile) { window = FileWindow(file) }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        while remaining == 0, state != .end { try goToNextPart() }
        guard remaining > 0 else { return 0 }
        let count = try window.copy(into: buffer, atMost: remaining)
        guard count > 0 else {
            throw DecodingFault(.truncated, at: window.offset, "the GIF ends within its picture")
        }
        remaining -= count
        return count
    }

    private func goToNextPart() throws(DecodingFault) {
        let start = window.offset
        switch state {
        case .start:
            _ = try GIFScreen(&window, isTolerant: false)
            copy(from: start)
            state = .blocks
        case .blocks: try goToNextBlock()
        case .imageData:
            let size = Int(try window.readGIFByte())
            window.seek(to: start)
            remaining = 1 + size
            if size == 0 { state = .blocks }
        case .end: break
        }
    }

    private func goToNextBlock() throws(DecodingFault) {
        let start = window.offset
        switch try window.readGIFByte() {
        case GIFBlock.extension:
            let isControl = try window.readGIFByte() == GIFBlock.Label.graphicControl
            guard try window.skipGIFSubBlocks() else {
                throw DecodingFault(.truncated, at: start, "the GIF ends within an extension")
            }
            if isControl { copy(from: start) }
        case GIFBlock.image:
            _ = try GIFFrame(&window, control: GIFGraphicControl())
            copy(from: start)
            state = .imageData
        case GIFBlock.trailer:
            copy(from: start)
            state = .end
        default:
            throw DecodingFault(.corrupt, at: start, "an unknown block")
        }
    }

    /// Copies what was read since `start`.
    private func copy(from start: Int) {
        remaining = window.offset - start
        window.seek(to: start)
    }
}
