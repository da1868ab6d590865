/// What becomes of a frame before the next one is drawn, and what that takes.
struct FrameDisposal {
    /// What becomes of it.
    enum Method: Sendable {
        /// It stays.
        case keep
        /// Its rectangle becomes blank.
        case restoreBackground
        /// Its rectangle becomes what it was before the frame.
        case restorePrevious
    }

    private var method = Method.keep
    private var rect = PixelRect.empty
    /// What the frame was drawn over, row after row of its rectangle.
    private var saved: FrameMemory?

    /// Notes how a frame that is about to be drawn is disposed of, and saves what is under it where
    /// that comes back.
    ///
    /// - Parameters:
    ///   - method: How.
    ///   - rect: Where it will be drawn, inside the canvas.
    ///   - canvas: What it will be drawn on.
    ///   - scratch: Where what is saved lies when it is much.
    /// - Throws: `DecodingFault` with code `overCeiling` or `scratch`.
    mutating func prepare(
        _ method: Method, of rect: PixelRect, on canvas: AnimationCanvas,
        scratch: ScratchSpace?
    ) throws(DecodingFault) {
        (self.method, self.rect) = (method, rect)
        guard method == .restorePrevious, !rect.isEmpty else { return }
        let count = rect.area * AnimationCanvas.pixelBytes
        if saved.map({ $0.bytes.count < count }) ?? true {
            // What was saved before is given back first, so that there are never two.
            saved = nil
            saved = try FrameMemory(
                bytes: count, heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
        }
        try copyRows(of: canvas) { (row, store) in store.update(from: row, count: rect.width) }
        saved?.mapping?.startWritingOut(after: count)
    }

    /// Disposes of the frame that was drawn last.
    ///
    /// - Parameter canvas: What it was drawn on.
    /// - Returns: Where the canvas changed.
    /// - Throws: `DecodingFault` with code `overCeiling` or `scratch`.
    mutating func restore(_ canvas: AnimationCanvas) throws(DecodingFault) -> PixelRect {
        let rect = rect
        switch method {
        case .keep: return .empty
        case .restoreBackground: try canvas.clear(rect)
        case .restorePrevious:
            try copyRows(of: canvas) { (row, store) in row.update(from: store, count: rect.width) }
            canvas.didChange(rect)
        }
        method = .keep
        return rect
    }

    /// Pairs the rows of the rectangle with those that are saved of it.
    private func copyRows(
        of canvas: AnimationCanvas,
        _ copy: (UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>) -> Void
    ) throws(DecodingFault) {
        guard let store = saved?.bytes.bindMemory(to: UInt32.self).baseAddress, !rect.isEmpty
        else { return }
        let pixels = try canvas.pixels()
        for y in 0..<rect.height {
            copy(pixels + (rect.top + y) * canvas.width + rect.left, store + y * rect.width)
        }
    }
}
