import AttachmentModel
import Foundation

extension GIFBlocks {
    /// True if the first picture needs alpha, following libvips 8.14.
    ///
    /// libvips adds alpha if any frame has a transparent index, or if the first frame's data are
    /// truncated. The walk reads no further than the answer needs. Without `isTolerant`, truncated
    /// data are a fault anyway. Later frames matter only if the first may leave pixels blank:
    /// outside of it, or by indices without a colour. A transparent index that no pixel of the first
    /// frame has does not count, which takes its data up to the first such pixel to find.
    mutating func hasAlpha(
        first frame: GIFFrame, of file: OpenFile, on canvas: (width: Int, height: Int),
        isTolerant: Bool, isCancelled: () -> Bool
    ) throws(DecodingFault) -> Bool {
        let colours = frame.localColours ?? screen.colours
        let isOpaque =
            frame.rect.covers(width: canvas.width, height: canvas.height)
            && colours.count >= min(256, 1 << frame.minimumCodeSize)
        if let index = frame.control.transparentIndex {
            return isOpaque ? try frame.mayShow(index, of: file, isCancelled) : true
        }
        guard isTolerant || !isOpaque else { return false }
        guard try skipSubBlocks() else { return true }
        return isOpaque ? false : try hasTransparentFrame()
    }

    private mutating func hasTransparentFrame() throws(DecodingFault) -> Bool {
        do throws(DecodingFault) {
            while let frame = try readFrame() {
                let start = frame.dataOffset
                let isComplete = try skipSubBlocks()
                // A truncated frame counts if any of its data is present.
                guard isComplete || start < length else { return false }
                if frame.control.transparentIndex != nil { return true }
                guard isComplete else { return false }
            }
        } catch {
            guard error.code != .unreadable else { throw error }
        }
        return false
    }
}

extension GIFFrame {
    /// True if a pixel has the index, or the data are damaged or end early.
    fileprivate func mayShow(
        _ index: UInt8, of file: OpenFile, _ isCancelled: () -> Bool
    ) throws(DecodingFault) -> Bool {
        let reader = GIFIndexReader(file, frame: self, isTolerant: true)
        for _ in 0..<height {
            guard !isCancelled() else {
                throw DecodingFault(.cancelled, at: dataOffset, "it was cancelled")
            }
            // Damage is reported when the rows are read.
            guard let row = try? reader.next(width), row.count == width,
                let start = row.baseAddress,
                memchr(start, CInt(index), width) == nil
            else { return true }
        }
        return false
    }
}
