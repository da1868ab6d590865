internal import AttachmentDecoding

/// Reduces frames to the size of the output, finds their colours and writes them to a GIF, one after
/// the other.
///
/// It holds three pictures of the size of the output, in scratch files when they are large: the frame,
/// what the viewer's canvas was to show, and what it shows.
final class FrameEncoder {
    /// What a frame is drawn over.
    enum Method: Sendable {
        /// What the frame before left: only what changed is drawn.
        case differences
        /// Nothing: frames are drawn whole, without their blank pixels, and cleared.
        case wholeFrames
    }

    private let method: Method
    private let treatment: Treatment
    private let writer: GIFWriter
    private let output: OutputFile
    private let scaler: CanvasScaler
    private let frame: PixelPlane
    /// What was to be shown when a pixel was drawn last, and what its colour became; neither is there
    /// when every frame begins with nothing.
    private let wanted: PixelPlane?
    private let shown: PixelPlane?
    private let blankRow: [UInt32]
    private let choice: PaletteChoice
    private var drawn: [UInt32]
    private var indices: [UInt8]

    /// Writes the head of a GIF.
    ///
    /// - Parameters:
    ///   - output: Gets the bytes.
    ///   - canvas: Pixels in a row and rows of what is given.
    ///   - size: Pixels in a row and rows of the output, no more than those.
    ///   - treatment: What is given up for fewer bytes.
    ///   - method: What frames are drawn over.
    ///   - palette: Colours that serve most frames.
    ///   - plays: How often the animation is played; nil for without end.
    ///   - scratch: Where pictures lie that take more than 64 KiB.
    /// - Throws: `overBytes`, `fault`.
    init(
        to output: OutputFile, canvas: (width: Int, height: Int), size: (width: Int, height: Int),
        treatment: Treatment, method: Method, palette: Palette, plays: Int?,
        scratch: ScratchSpace
    ) throws(EncodingStop) {
        (self.output, self.treatment, self.method) = (output, treatment, method)
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
        choice = PaletteChoice(global: palette, colours: treatment.colours)
        writer = try GIFWriter(
            to: output, size: size, globalPalette: palette, plays: plays)
    }

    /// Writes a frame.
    ///
    /// - Parameters:
    ///   - canvas: What is shown.
    ///   - changed: Where it changed since the last frame that was written.
    ///   - centiseconds: How long it is shown, in hundredths of a second.
    /// - Throws: `overBytes`, `blankAgain`, `fault`.
    func add(
        _ canvas: AnimationCanvas, changed: ChangedRegion, centiseconds: Int
    ) throws(EncodingStop) {
        let reduced = try EncodingStop.decoding { () throws(DecodingFault) in
            try scaler.reduce(canvas, changed: changed, to: frame)
        }
        choice.begin()
        let rect = try survey(method == .wholeFrames ? frame.bounds : reduced)
        guard !rect.isEmpty else { return try addNothing(centiseconds) }
        let palette = choice.palette()
        try writer.beginFrame(
            rect, palette: palette, centiseconds: centiseconds,
            isCleared: method == .wholeFrames)
        let ditherer = Ditherer(palette, width: rect.width, strength: treatment.dithering)
        var encoder = try LZWEncoder(palette, lossiness: treatment.lossiness, to: output)
        for y in rect.top..<rect.bottom {
            try encode(y, rect, palette, ditherer, &encoder)
        }
        try encoder.finish()
        wanted?.didChange(rect)
        shown?.didChange(rect)
    }

    /// Ends the file.
    ///
    /// - Throws: `overBytes`, `fault`.
    func finish() throws(EncodingStop) { try writer.finish() }

    /// A frame that changes nothing is a transparent pixel, so that time goes by.
    private func addNothing(_ centiseconds: Int) throws(EncodingStop) {
        let palette = writer.globalPalette
        try writer.beginFrame(
            PixelRect(width: 1, height: 1), palette: palette, centiseconds: centiseconds,
            isCleared: method == .wholeFrames)
        var encoder = try LZWEncoder(palette, lossiness: 0, to: output)
        var pixel = palette.transparentIndex
        var stop: EncodingStop?
        withUnsafeMutablePointer(to: &pixel) { pixel in
            do throws(EncodingStop) {
                try encoder.encode(UnsafeMutableBufferPointer(start: pixel, count: 1))
            } catch {
                stop = error
            }
        }
        if let stop { throw stop }
        try encoder.finish()
    }

    /// Finds what has to be drawn, and counts its colours.
    private func survey(_ rect: PixelRect) throws(EncodingStop) -> PixelRect {
        var found = PixelRect.empty
        for y in rect.top..<rect.bottom {
            let row = frame.row(y)
            var (first, last) = (-1, -1)
            if let wanted, let shown {
                let (wanted, shown) = (wanted.row(y), shown.row(y))
                for x in rect.left..<rect.right where differs(row[x], wanted[x]) {
                    guard row[x] != 0 else {
                        // It was blank at first, or something else would have to clear it.
                        if shown[x] != 0 { throw .blankAgain }
                        continue
                    }
                    choice.insert(row[x])
                    if first < 0 { first = x }
                    last = x
                }
            } else {
                for x in rect.left..<rect.right where row[x] != 0 {
                    choice.insert(row[x])
                    if first < 0 { first = x }
                    last = x
                }
            }
            if first >= 0 {
                found = found.union(
                    PixelRect(left: first, top: y, right: last + 1, bottom: y + 1))
            }
        }
        return found
    }

    @inline(__always)
    private func differs(_ pixel: UInt32, _ wanted: UInt32) -> Bool {
        guard pixel != wanted else { return false }
        guard treatment.tolerance > 0, pixel != 0, wanted != 0 else { return true }
        let (left, right) = (
            unsafeBitCast(pixel, to: SIMD4<UInt8>.self),
            unsafeBitCast(wanted, to: SIMD4<UInt8>.self)
        )
        let distance = pointwiseMax(left, right) &- pointwiseMin(left, right)
        return distance.max() > treatment.tolerance
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
        var stop: EncodingStop?
        drawn.withUnsafeBufferPointer { drawn in
            blankRow.withUnsafeBufferPointer { blank in
                indices.withUnsafeMutableBufferPointer { indices in
                    guard let blank = blank.baseAddress else { return }
                    let pixels = UnsafeBufferPointer(rebasing: drawn[..<rect.width])
                    let row = UnsafeMutableBufferPointer(rebasing: indices[..<rect.width])
                    ditherer.write(
                        pixels, over: shownRow.map { UnsafePointer($0) } ?? blank, to: row)
                    do throws(EncodingStop) {
                        try encoder.encode(row)
                    } catch {
                        stop = error
                    }
                }
            }
        }
        if let stop { throw stop }
        guard let shownRow else { return }
        for x in 0..<rect.width where indices[x] != palette.transparentIndex {
            shownRow[x] = palette.colours[Int(indices[x])]
        }
    }
}
