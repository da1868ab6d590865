/// The passes in which the rows of an interlaced frame come (GIF89a, appendix E).
enum GIFInterlace {
    /// Every eighth row from the first, every eighth from the fifth, every fourth from the third,
    /// every second from the second.
    private static let passes: [(start: Int, step: Int)] = [(0, 8), (4, 8), (2, 4), (1, 2)]

    /// How many passes there are.
    static var passCount: Int { passes.count }

    /// Tells the rows of a pass.
    ///
    /// - Parameters:
    ///   - pass: The pass, from 0.
    ///   - height: Rows of the frame.
    /// - Returns: How many of the frame's rows come in it.
    static func rows(in pass: Int, of height: Int) -> Int {
        let (start, step) = passes[pass]
        return height > start ? (height - start + step - 1) / step : 0
    }

    /// Tells the pass of a row.
    ///
    /// - Parameter row: The row, from 0.
    /// - Returns: The pass in which it comes, from 0.
    static func pass(of row: Int) -> Int {
        switch row & 7 {
        case 0: 0
        case 4: 1
        case 2, 6: 2
        default: 3
        }
    }
}

extension GIFInterlace {
    /// The rows of a frame in the order of the file.
    ///
    /// - Parameters:
    ///   - height: Rows of the frame.
    ///   - isInterlaced: Whether they come in passes.
    /// - Returns: Every row once.
    static func order(
        of height: Int, isInterlaced: Bool
    ) -> some Sequence<Int> {
        let parts = isInterlaced ? passes : [(start: 0, step: 1)]
        return parts.lazy.flatMap { stride(from: $0.start, to: height, by: $0.step) }
    }
}
