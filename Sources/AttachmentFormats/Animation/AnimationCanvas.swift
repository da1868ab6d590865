/// Canvas of an animation, in RGBA.
///
/// Memory is allocated at the first drawing, in a scratch file above 64 KiB; reading needs none.
package final class AnimationCanvas {
    package let width: Int
    package let height: Int
    let scratch: ScratchSpace
    private var memory: FrameMemory?

    package static let pixelBytes = 4

    init(width: Int, height: Int, scratch: ScratchSpace) {
        (self.width, self.height, self.scratch) = (width, height, scratch)
    }

    package var bounds: PixelRect { PixelRect(width: width, height: height) }

    /// Pixels row after row: red in the lowest byte, then green, blue and alpha, not premultiplied.
    ///
    /// The pointer is valid as long as the canvas. Pixels never drawn have alpha 0.
    package func pixels() throws(DecodingFault) -> UnsafeMutablePointer<UInt32> {
        if memory == nil {
            memory = try FrameMemory(
                bytes: width * height * Self.pixelBytes, heapLimit: FrameMemory.planesOnHeap,
                scratch: scratch)
        }
        guard let start = memory?.bytes.bindMemory(to: UInt32.self).baseAddress else {
            throw DecodingFault(.scratch, at: 0, "no memory for its canvas")
        }
        return start
    }

    func clear(_ rect: PixelRect) throws(DecodingFault) {
        guard !rect.isEmpty else { return }
        let pixels = try pixels()
        for y in rect.top..<rect.bottom {
            (pixels + y * width + rect.left).update(repeating: 0, count: rect.width)
        }
        didChange(rect)
    }

    /// Lets the system write the changed pages to disk.
    func didChange(_ rect: PixelRect) {
        memory?.mapping?.startWritingOut(after: rect.area * Self.pixelBytes)
    }
}
