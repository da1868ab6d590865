internal import AttachmentFormats

/// Scales frames to the output size, chooses their palettes and writes them to a GIF.
///
/// Holds three pixel planes of the output size, in scratch if large: the frame, the intended canvas
/// of the viewer, and its actual canvas.
final class FrameEncoder {
    /// Base that a frame is drawn on.
    enum Method: Sendable {
        /// The preceding frame; only differences are drawn.
        case differences
        /// An empty canvas; whole frames are drawn and cleared.
        case wholeFrames
    }

    private let method: Method
    private let quality: FrameQuality
    private let writer: GIFWriter
    private let output: OutputFile
    private let scaler: CanvasScaler
    private let frame: PixelPlane
    /// Intended colour when a pixel was last drawn, and its palette colour; nil if every frame
    /// starts empty.
    private let wanted: PixelPlane?
    private let shown: PixelPlane?
    private let blankRow: [UInt32]
    private let choice: PaletteChoice
    private var drawn: [UInt32]
    private var indices: [UInt8]

    /// Writes the header of a GIF.
    ///
    /// The output must not be larger than the canvas; a nil `plays` means endless.
    init(
        to output: OutputFile, canvas: (width: Int, height: Int), size: (width: Int, height: Int),
        quality: FrameQuality, method: Method, palette: Palette, plays: Int?, scratch: ScratchSpace
    ) throws(EncodingStop) {
        (self.output, self.quality, self.method) = (output, quality, method)
        scaler = CanvasScaler(from: canvas, to: size)
        let plane = { () throws(EncodingStop) in
            try EncodingStop.decoding { () throws(DecodingFault) in
                try PixelPlane(width: size.width, height: size.height, scratch: scratch)
            }
        }
        frame = try plane()
        wanted = method == .differences ? try plane() : nil
        shown = method == .differences ? try plane() : nil
        blankRow = Array(repeating: 0, count: size.width)
        drawn = blankRow
        indices = Array(repeating: 0, count: size.width)
        choice = PaletteChoice(global: palette, colours: quality.colours)
        writer = try GIFWriter(to: output, size: size, globalPalette: palette, plays: plays)
    }

    /// Writes a frame; `changed` is the region since the last written frame.
    func add(
        _ canvas: AnimationCanvas, changed: ChangedRegion, centiseconds: Int
    ) throws(EncodingStop) {
        let reduced = try EncodingStop.decoding { () throws(DecodingFault) in
            try scaler.reduce(canvas, changed: changed, to: frame)
        }
        choice.begin()
        let rect = try findChanges(method == .wholeFrames ? frame.bounds : reduced)
        guard !rect.isEmpty else { return try addEmptyFrame(centiseconds) }
        let palette = choice.palette()
        try writer.beginFrame(
            rect, palette: palette, centiseconds: centiseconds, isCleared: method == .wholeFrames)
        let ditherer = Ditherer(palette, width: rect.width, strength: quality.dithering)
        var encoder = try LZWEncoder(palette, lossiness: quality.lossiness, to: output)
        for y in rect.top..<rect.bottom {
            try encode(y, rect, palette, ditherer, &encoder)
        }
        try encoder.finish()
        wanted?.didChange(rect)
        shown?.didChange(rect)
    }

    func finish() throws(EncodingStop) { try writer.finish() }

    private func addEmptyFrame(_ centiseconds: Int) throws(EncodingStop) {
        let palette = writer.globalPalette
        try writer.beginFrame(
            PixelRect(width: 1, height: 1), palette: palette, centiseconds: centiseconds,
            isCleared: method == .wholeFrames)
        var encoder = try LZWEncoder(palette, lossiness: 0, to: output)
        var pixel = palette.transparentIndex
        try withUnsafeMutablePointer(to: &pixel) { pixel throws(EncodingStop) in
            try encoder.encode(UnsafeMutableBufferPointer(start: pixel, count: 1))
        }
        try encoder.finish()
    }

    /// Finds the rectangle to draw, and counts its colours.
    private func findChanges(_ rect: PixelRect) throws(EncodingStop) -> PixelRect {
        var found = PixelRect.empty
        for y in rect.top..<rect.bottom {
            let row = frame.row(y)
            let (wanted, shown) = (wanted?.row(y), shown?.row(y))
            var (first, last) = (-1, -1)
            for x in rect.left..<rect.right {
                if let wanted, !differs(row[x], wanted[x]) { continue }
                guard row[x] != 0 else {
                    // Skips pixels that were never drawn; others would have to be cleared.
                    if let shown, shown[x] != 0 { throw .needsWholeFrames }
                    continue
                }
                choice.insert(row[x])
                if first < 0 { first = x }
                last = x
            }
            if first >= 0 {
                found = found.union(PixelRect(left: first, top: y, right: last + 1, bottom: y + 1))
            }
        }
        return found
    }

    @inline(__always)
    private func differs(_ pixel: UInt32, _ wanted: UInt32) -> Bool {
        guard pixel != wanted else { return false }
        guard quality.tolerance > 0, pixel != 0, wanted != 0 else { return true }
        let (left, right) = (
            unsafeBitCast(pixel, to: SIMD4<UInt8>.self),
            unsafeBitCast(wanted, to: SIMD4<UInt8>.self)
        )
        let distance = pointwiseMax(left, right) &- pointwiseMin(left, right)
        return distance.max() > quality.tolerance
    }

    private func encode(
        _ y: Int, _ rect: PixelRect, _ palette: Palette, _ ditherer: Ditherer,
        _ encoder: inout LZWEncoder
    ) throws(EncodingStop) {
        let row = frame.row(y) + rect.left
        let wantedRow = wanted.map { $0.row(y) + rect.left }
        let shownRow = shown.map { $0.row(y) + rect.left }
        for x in 0..<rect.width {
            let pixel = row[x]
            if let wantedRow {
                let isDrawn = differs(pixel, wantedRow[x])
                drawn[x] = isDrawn ? pixel : 0
                if isDrawn { wantedRow[x] = pixel }
            } else {
                drawn[x] = pixel
            }
        }
        try drawn.withUnsafeBufferPointer { drawn throws(EncodingStop) in
            try blankRow.withUnsafeBufferPointer { blank throws(EncodingStop) in
                try indices.withUnsafeMutableBufferPointer { indices throws(EncodingStop) in
                    guard let blank = blank.baseAddress else { return }
                    let pixels = UnsafeBufferPointer(rebasing: drawn[..<rect.width])
                    let row = UnsafeMutableBufferPointer(rebasing: indices[..<rect.width])
                    ditherer.write(
                        pixels, over: shownRow.map { UnsafePointer($0) } ?? blank, to: row)
                    try encoder.encode(row)
                }
            }
        }
        guard let shownRow else { return }
        for x in 0..<rect.width where indices[x] != palette.transparentIndex {
            shownRow[x] = palette.colours[Int(indices[x])]
        }
    }
}
