internal import AttachmentFormats

/// Pixels at output size: red in the lowest byte, alpha 255, or 0 for a blank pixel.
final class PixelPlane {
    let width: Int
    let height: Int
    /// Pixels in row order, initially 0; valid during this object's lifetime.
    let pixels: UnsafeMutablePointer<UInt32>
    private let memory: PlaneMemory

    init(width: Int, height: Int, in space: PlaneSpace) throws(DecodingFault) {
        memory = try space.makePlane(bytes: width * height * AnimationCanvas.pixelBytes)
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
        memory.didChange(bytes: rect.area * AnimationCanvas.pixelBytes)
    }
}
