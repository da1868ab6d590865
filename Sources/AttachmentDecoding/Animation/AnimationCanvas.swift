/// What an animation shows at a moment: pixels of red, green, blue and alpha.
///
/// Its memory is taken when something is drawn first, from a scratch file when it is large: so that
/// going through an animation without drawing needs none, and the canvas is no footprint.
package final class AnimationCanvas {
    /// Pixels in a row.
    package let width: Int
    /// Rows.
    package let height: Int
    private let scratch: ScratchSpace?
    private var memory: FrameMemory?

    /// What a pixel takes, in bytes.
    package static let pixelBytes = 4

    /// Makes a canvas that is blank: without colour and transparent.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - scratch: Where its memory lies when it takes more than 64 KiB; nil for the heap.
    init(width: Int, height: Int, scratch: ScratchSpace?) {
        (self.width, self.height, self.scratch) = (width, height, scratch)
    }

    /// All of it.
    package var bounds: PixelRect { PixelRect(width: width, height: height) }

    /// The pixels, row after row: red in the lowest byte, then green, blue, and alpha, which is not
    /// premultiplied; of alpha 0 where nothing was drawn.
    ///
    /// - Returns: A pointer to `width * height` pixels, until `self` goes.
    /// - Throws: `DecodingFault` with code `overCeiling` or `scratch`.
    package func pixels() throws(DecodingFault) -> UnsafeMutablePointer<UInt32> {
        if memory == nil {
            memory = try FrameMemory(
                bytes: width * height * Self.pixelBytes, heapLimit: FrameMemory.planesOnHeap,
                scratch: scratch)
        }
        guard let start = memory?.bytes.bindMemory(to: UInt32.self).baseAddress else {
            throw DecodingFault(.scratch, at: 0, "there is no memory for its canvas")
        }
        return start
    }

    /// Makes a rectangle blank.
    ///
    /// - Parameter rect: Inside the canvas.
    /// - Throws: As `pixels`.
    func clear(_ rect: PixelRect) throws(DecodingFault) {
        guard !rect.isEmpty else { return }
        let pixels = try pixels()
        for y in rect.top..<rect.bottom {
            (pixels + y * width + rect.left).update(repeating: 0, count: rect.width)
        }
        didChange(rect)
    }

    /// Lets the system write out what was changed.
    ///
    /// - Parameter rect: What that is.
    func didChange(_ rect: PixelRect) {
        memory?.mapping?.startWritingOut(after: rect.area * Self.pixelBytes)
    }
}
