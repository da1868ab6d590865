internal import AttachmentDecoding

/// Pixels of a picture of the size of the output, in memory that is no footprint when it is large.
///
/// As on a canvas, red is in the lowest byte of a pixel, then green, blue, and alpha.
final class PixelPlane {
    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int
    /// The pixels, row after row, until `self` goes; zeros at first.
    let pixels: UnsafeMutablePointer<UInt32>
    private let memory: FrameMemory

    /// Takes memory for pixels.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row, at least 1.
    ///   - height: Rows, at least 1.
    ///   - scratch: Where they lie when they take more than 64 KiB.
    /// - Throws: `DecodingFault` with code `overCeiling` or `scratch`.
    init(width: Int, height: Int, scratch: ScratchSpace) throws(DecodingFault) {
        memory = try FrameMemory(
            bytes: width * height * AnimationCanvas.pixelBytes,
            heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
        guard let start = memory.bytes.bindMemory(to: UInt32.self).baseAddress else {
            throw DecodingFault(.scratch, at: 0, "there is no memory for its pixels")
        }
        (self.width, self.height, pixels) = (width, height, start)
    }

    /// A row.
    ///
    /// - Parameter y: Its number.
    /// - Returns: Its first pixel.
    @inline(__always)
    func row(_ y: Int) -> UnsafeMutablePointer<UInt32> { pixels + y * width }

    /// All of it.
    var bounds: PixelRect { PixelRect(width: width, height: height) }

    /// Lets the system write out what was changed.
    ///
    /// - Parameter rect: What that is.
    func didChange(_ rect: PixelRect) {
        memory.mapping?.startWritingOut(after: rect.area * AnimationCanvas.pixelBytes)
    }
}
