/// Disposal of a frame before the next one is drawn, with the pixels saved for it.
struct FrameDisposal {
    enum Method: Sendable {
        case keep
        case restoreBackground
        case restorePrevious
    }

    private var method = Method.keep
    private var rect = PixelRect.empty
    private var saved: PlaneMemory?

    /// Disposes of the previous frame, draws the next one with `body`, and returns what may have
    /// changed.
    mutating func draw(
        _ rect: PixelRect, then method: Method, on canvas: AnimationCanvas,
        _ body: () throws(DecodingFault) -> Void
    ) throws(DecodingFault) -> ChangedRegion {
        let disposed = try restore(canvas)
        try prepare(method, of: rect, on: canvas)
        try body()
        canvas.didChange(rect)
        return ChangedRegion(disposed, rect)
    }

    /// Saves the pixels under the frame if they will return.
    private mutating func prepare(
        _ method: Method, of rect: PixelRect, on canvas: AnimationCanvas
    ) throws(DecodingFault) {
        (self.method, self.rect) = (method, rect)
        guard method == .restorePrevious, !rect.isEmpty else { return }
        let count = rect.area * AnimationCanvas.pixelBytes
        if saved.map({ $0.bytes.count < count }) ?? true {
            // Free the previous copy first, so that there are never two.
            saved = nil
            saved = try canvas.space.makePlane(bytes: count)
        }
        try copyRows(of: canvas) { (row, store) in store.update(from: row, count: rect.width) }
        saved?.didChange(bytes: count)
    }

    private mutating func restore(_ canvas: AnimationCanvas) throws(DecodingFault) -> PixelRect {
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

    private func copyRows(
        of canvas: AnimationCanvas,
        _ copy: (UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>) -> Void
    ) throws(DecodingFault) {
        guard let store = saved?.bytes.bindMemory(to: UInt32.self).baseAddress, !rect.isEmpty
        else { return }
        for y in 0..<rect.height {
            copy(try canvas.row(rect.top + y) + rect.left, store + y * rect.width)
        }
    }
}
