/// Interlace passes (GIF89a, appendix E).
enum GIFInterlace {
    private static let passes: [(start: Int, step: Int)] = [(0, 8), (4, 8), (2, 4), (1, 2)]

    static var passCount: Int { passes.count }

    static func rows(in pass: Int, of height: Int) -> Int {
        let (start, step) = passes[pass]
        return height > start ? (height - start + step - 1) / step : 0
    }

    static func pass(of row: Int) -> Int {
        switch row & 7 {
        case 0: 0
        case 4: 1
        case 2, 6: 2
        default: 3
        }
    }

    static func order(of height: Int, isInterlaced: Bool) -> some Sequence<Int> {
        let parts = isInterlaced ? passes : [(start: 0, step: 1)]
        return parts.lazy.flatMap { stride(from: $0.start, to: height, by: $0.step) }
    }
}
