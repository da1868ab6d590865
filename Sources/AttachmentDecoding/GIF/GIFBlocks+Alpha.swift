extension GIFBlocks {
    /// Decides whether the first picture needs alpha, as libvips 8.14 decides it.
    ///
    /// libvips has alpha when any frame has a transparent index, or when the data of the first are
    /// cut. The rest of the file is gone through only where the answer may show: to the end of the
    /// first frame tolerantly, since else cut data are a fault; and beyond it where the first frame
    /// may leave pixels blank, outside of it or by indices for which there is no colour.
    ///
    /// - Parameters:
    ///   - frame: The first frame, which was read last.
    ///   - canvas: Pixels in a row, and rows.
    ///   - isTolerant: Whether cut data are no fault.
    /// - Returns: Whether it needs alpha.
    /// - Throws: `DecodingFault` with code `unreadable`.
    mutating func hasAlpha(
        first frame: GIFFrame, on canvas: (width: Int, height: Int), isTolerant: Bool
    ) throws(DecodingFault) -> Bool {
        if frame.control.transparentIndex != nil { return true }
        let colours = frame.localColours ?? screen.colours
        let isOpaque =
            frame.covers(canvas) && colours.count >= min(256, 1 << frame.minimumCodeSize)
        guard isTolerant || !isOpaque else { return false }
        guard try skipSubBlocks() else { return true }
        return isOpaque ? false : try hasTransparentFrame()
    }

    /// Looks for a transparent index in the frames from here on, as far as they can be read.
    private mutating func hasTransparentFrame() throws(DecodingFault) -> Bool {
        do throws(DecodingFault) {
            while let frame = try readFrame() {
                let start = frame.dataOffset
                let isComplete = try skipSubBlocks()
                // A cut frame counts when there is something of its data.
                guard isComplete || start < length else { return false }
                if frame.control.transparentIndex != nil { return true }
                guard isComplete else { return false }
            }
        } catch {
            guard error.code != .unreadable else { throw error }
        }
        return false
    }
}
