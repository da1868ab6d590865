internal import AttachmentFormats

/// Chooses the palettes of frames at output size and writes their differences to a GIF.
///
/// Holds two planes: the intended canvas of the viewer, and its actual canvas.
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
    private let frame: PixelPlane
    /// Intended colour when a pixel was last drawn, and its palette colour; nil if every frame
    /// starts empty.
    private let wanted: PixelPlane?
    private let shown: PixelPlane?
    private let choice: PaletteChoice
    private let ditherer: Ditherer
    private let encoder: LZWEncoder
    /// One row each: zeros, the pixels to draw, and their indices.
    private let blank: UnsafeMutableBufferPointer<UInt32>
    private let drawn: UnsafeMutableBufferPointer<UInt32>
    private let indices: UnsafeMutableBufferPointer<UInt8>
    /// Part of the current frame that is encoded.
    private(set) var part = 0.0

    /// Writes the header of a GIF of the frames on a plane.
    ///
    /// With `keepsColours`, few colours do not change. A nil `plays` means endless.
    init(
        to output: OutputFile, of frame: PixelPlane, quality: FrameQuality, method: Method,
        palette: Palette, keepsColours: Bool, plays: Int?, in space: PlaneSpace
    ) throws(EncodingStop) {
        (self.frame, self.quality, self.method) = (frame, quality, method)
        let plane = { () throws(EncodingStop) in
            try EncodingStop.decoding { () throws(DecodingFault) in
                try PixelPlane(width: frame.width, height: frame.height, in: space)
            }
        }
        wanted = method == .differences ? try plane() : nil
        shown = method == .differences ? try plane() : nil
        writer = try GIFWriter(
            to: output, size: (frame.width, frame.height), globalPalette: palette, plays: plays)
        choice = PaletteChoice(
            global: palette, colours: quality.colours, keepsColours: keepsColours)
        ditherer = Ditherer(width: frame.width)
        encoder = LZWEncoder(lossiness: quality.lossiness, to: output)
        blank = .allocate(capacity: frame.width)
        blank.initialize(repeating: 0)
        drawn = .allocate(capacity: frame.width)
        drawn.initialize(repeating: 0)
        indices = .allocate(capacity: frame.width)
        indices.initialize(repeating: 0)
    }

    deinit {
        blank.deallocate()
        drawn.deallocate()
        indices.deallocate()
    }

    /// Writes the frame on the plane; `changed` contains all changes since the last written one.
    func add(_ changed: PixelRect, centiseconds: Int) throws(EncodingStop) {
        part = 0
        let area = method == .wholeFrames ? frame.bounds : changed
        choice.begin(pixels: area.area)
        let rect = try findChanges(area)
        guard !rect.isEmpty else { return try addEmptyFrame(centiseconds) }
        let (search, isExact) = choice.palette()
        let palette = search.palette
        try writer.beginFrame(
            rect, palette: palette, centiseconds: centiseconds, isCleared: method == .wholeFrames)
        ditherer.begin(strength: isExact ? 0 : quality.dithering)
        try encoder.begin(palette)
        for y in rect.top..<rect.bottom {
            try encode(y, rect, search)
            part = Double(y + 1 - rect.top) / Double(rect.height)
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
        try encoder.begin(palette)
        indices[0] = palette.transparentIndex
        try encoder.encode(UnsafeMutableBufferPointer(rebasing: indices[..<1]))
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
        _ y: Int, _ rect: PixelRect, _ search: NearestColour
    ) throws(EncodingStop) {
        let row = frame.row(y) + rect.left
        let shownRow = shown.map { $0.row(y) + rect.left }
        if let wantedRow = wanted.map({ $0.row(y) + rect.left }) {
            for x in 0..<rect.width {
                let pixel = row[x]
                let isDrawn = differs(pixel, wantedRow[x])
                drawn[x] = isDrawn ? pixel : 0
                if isDrawn { wantedRow[x] = pixel }
            }
        } else {
            for x in 0..<rect.width { drawn[x] = row[x] }
        }
        let part = UnsafeMutableBufferPointer(rebasing: indices[..<rect.width])
        // Rows of a frame that is not empty have addresses.
        guard let pixels = drawn.baseAddress, let blank = blank.baseAddress,
            let start = part.baseAddress
        else { return }
        ditherer.write(pixels, over: shownRow ?? blank, count: rect.width, to: start, search)
        try encoder.encode(part)
        guard let shownRow else { return }
        let palette = search.palette
        palette.colours.withUnsafeBufferPointer { colours in
            for x in 0..<rect.width where part[x] != palette.transparentIndex {
                shownRow[x] = colours[Int(part[x])]
            }
        }
    }
}
