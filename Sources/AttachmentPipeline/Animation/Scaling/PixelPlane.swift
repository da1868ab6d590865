internal import AttachmentFormats

/// Pixels at output size, red in the lowest byte; in memory outside the footprint when large.
final class PixelPlane {
    let width: Int
    let height: Int
    /// Pixels in row order, initially 0; valid during this object's lifetime.
    let pixels: UnsafeMutablePointer<UInt32>
    private let memory: FrameMemory

    /// Allocates the pixels, in scratch if they exceed 64 KiB.
    init(width: Int, height: Int, scratch: ScratchSpace) throws(DecodingFault) {
        memory = try FrameMemory(
            bytes: width * height * AnimationCanvas.pixelBytes,
            heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
        guard let start = memory.bytes.bindMemory(to: UInt32.self).baseAddress else {
            throw DecodingFault(.scratch, at: 0, "there is no memory for its pixels")
        }
        (self.width, self.height, pixels) = (width, height, start)
    }

    @inline(__always)
    func row(_ y: Int) -> UnsafeMutablePointer<UInt32> { pixels + y * width }

    var bounds: PixelRect { PixelRect(width: width, height: height) }

    /// Lets the system start writing a changed area to disk.
    func didChange(_ rect: PixelRect) {
        memory.mapping?.startWritingOut(after: rect.area * AnimationCanvas.pixelBytes)
    }
}
