/// Canvas of an animation, in RGBA.
///
/// Memory is allocated at the first drawing; reading frame metadata needs none.
package final class AnimationCanvas {
    package let width: Int
    package let height: Int
    let space: PlaneSpace
    private var memory: PlaneMemory?

    package static let pixelBytes = 4
    /// Bytes of rows requested at once.
    private static let bandBytes = 128 << 10
    /// Rows requested last.
    private var band = 0..<0

    init(width: Int, height: Int, in space: PlaneSpace) {
        (self.width, self.height, self.space) = (width, height, space)
    }

    package var bounds: PixelRect { PixelRect(width: width, height: height) }

    /// Pixels row after row: red in the lowest byte, then green, blue and alpha, not premultiplied.
    ///
    /// The pointer is valid as long as the canvas. Pixels never drawn have alpha 0.
    package func pixels() throws(DecodingFault) -> UnsafeMutablePointer<UInt32> {
        if memory == nil {
            memory = try space.makePlane(bytes: width * height * Self.pixelBytes)
        }
        guard let start = memory?.bytes.bindMemory(to: UInt32.self).baseAddress else {
            throw DecodingFault(.scratch, at: 0, "no memory for its canvas")
        }
        return start
    }

    /// Row `y`, after requesting its band of rows.
    @inline(__always)
    package func row(_ y: Int) throws(DecodingFault) -> UnsafeMutablePointer<UInt32> {
        let row = try pixels() + y * width
        if !band.contains(y) { request(y) }
        return row
    }

    private func request(_ y: Int) {
        let rows = max(1, Self.bandBytes / (width * Self.pixelBytes))
        let first = y / rows * rows
        band = first..<min(first + rows, height)
        guard let memory, let start = memory.bytes.baseAddress else { return }
        let rowBytes = width * Self.pixelBytes
        memory.willNeed(start + first * rowBytes, bytes: band.count * rowBytes)
    }

    func clear(_ rect: PixelRect) throws(DecodingFault) {
        for y in rect.top..<rect.bottom where !rect.isEmpty {
            (try row(y) + rect.left).update(repeating: 0, count: rect.width)
        }
        didChange(rect)
    }

    /// Lets the system write the changed pages to disk.
    func didChange(_ rect: PixelRect) {
        memory?.didChange(bytes: rect.area * Self.pixelBytes)
    }
}
