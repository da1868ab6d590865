/// Number of tiles of a frame (AV1 bitstream specification, 5.9.15).
enum AV1Tiles {
    static func count(
        _ bits: inout SyntaxBits, width: Int, height: Int, hasLargeBlocks: Bool
    ) -> Int {
        let log2Side = hasLargeBlocks ? 7 : 6
        // The specification rounds up to blocks of 8 pixels first (5.9.9), with the same result.
        let across = (width + (1 << log2Side) - 1) >> log2Side
        let down = (height + (1 << log2Side) - 1) >> log2Side
        // MAX_TILE_WIDTH, MAX_TILE_AREA, MAX_TILE_COLS and MAX_TILE_ROWS (section 3).
        let widest = 4096 >> log2Side
        let largest = (4096 * 2304) >> (2 * log2Side)
        let minimumColumns = log2(widest, across)
        let minimum = max(minimumColumns, log2(largest, across * down))
        var (columns, rows) = (0, 0)
        if bits.flag() {
            let columnsLog2 = increments(&bits, from: minimumColumns, to: log2(1, min(across, 64)))
            columns = divided(across, log2: columnsLog2)
            let rowsLog2 = increments(
                &bits, from: max(minimum - columnsLog2, 0), to: log2(1, min(down, 64)))
            rows = divided(down, log2: rowsLog2)
        } else {
            let (columnCount, widestTile) = listed(&bits, of: across, limit: widest)
            columns = columnCount
            let area = minimum > 0 ? (across * down) >> (minimum + 1) : across * down
            rows = listed(&bits, of: down, limit: max(area / max(widestTile, 1), 1)).count
        }
        let log2Tiles = log2(1, columns) + log2(1, rows)
        if log2Tiles > 0 { bits.skip(log2Tiles + 2) }
        return columns * rows
    }

    private static func increments(_ bits: inout SyntaxBits, from start: Int, to end: Int) -> Int {
        var number = start
        while number < end, bits.flag() { number += 1 }
        return number
    }

    private static func divided(_ blocks: Int, log2: Int) -> Int {
        let size = (blocks + (1 << log2) - 1) >> log2
        return (blocks + size - 1) / max(size, 1)
    }

    private static func listed(
        _ bits: inout SyntaxBits, of blocks: Int, limit: Int
    ) -> (count: Int, largest: Int) {
        var (start, count, largest) = (0, 0, 0)
        while start < blocks, count < 64 {
            let size = bits.number(below: min(blocks - start, limit)) + 1
            (start, count, largest) = (start + size, count + 1, max(largest, size))
        }
        return (count, largest)
    }

    /// Smallest power by which `number` must be shifted to reach `target` (tile_log2).
    private static func log2(_ number: Int, _ target: Int) -> Int {
        var power = 0
        while number << power < target { power += 1 }
        return power
    }
}
