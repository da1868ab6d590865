import AttachmentModel

/// All coefficients of a picture, turned block by block, in a scratch file or on the heap.
///
/// Padding blocks are not stored. For a quarter turn, a plane lies in stripes of 8 columns: writing
/// then touches every page once, and reading a column few more than it needs.
final class JPEGCoefficientStore {
    private struct Plane {
        /// First block.
        let start: Int
        let columns: Int
        let lines: Int
        let stripe: Int

        /// Number of the block in the store.
        @inline(__always)
        func block(_ x: Int, _ y: Int) -> Int {
            let left = x / stripe * stripe
            return start + left * lines + y * min(stripe, columns - left) + x - left
        }
    }

    static let blockBytes = 128

    private let frame: JPEGFrameHeader
    private let orientation: Orientation
    private let turn: JPEGBlockTurn
    private let planes: [Plane]
    private let memory: FrameMemory
    /// The memory's blocks, of 64 coefficients.
    private let coefficients: UnsafeMutablePointer<Int16>

    /// Throws if the coefficients take more than `ceiling` bytes.
    init(
        _ frame: JPEGFrameHeader, _ orientation: Orientation, ceiling: Int, scratch: ScratchSpace?
    ) throws(DecodingFault) {
        (self.frame, self.orientation) = (frame, orientation)
        turn = JPEGBlockTurn(orientation)
        var (planes, count): ([Plane], Int) = ([], 0)
        for component in frame.components {
            let (columns, lines) = frame.blocks(of: component)
            let stripe = orientation.exchangesSides ? 8 : columns
            planes.append(Plane(start: count, columns: columns, lines: lines, stripe: stripe))
            count += columns * lines
        }
        guard count * Self.blockBytes <= ceiling else {
            throw DecodingFault(.limit, at: 0, "its coefficients take more than planned")
        }
        self.planes = planes
        memory = try FrameMemory(
            bytes: count * Self.blockBytes, heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
        let blocks = memory.bytes.bindMemory(to: Int16.self)
        guard let first = blocks.baseAddress else { throw .noScratch }
        coefficients = first
    }

    /// Stores row `number` of the source's units, and clears it.
    func write(_ row: JPEGCoefficientRow, _ number: Int) {
        var bytes = 0
        for (plane, source) in zip(planes, row.planes) {
            let lines = min(source.lines, plane.lines - number * source.lines)
            for line in 0..<max(lines, 0) {
                for x in 0..<plane.columns {
                    let block = line * source.columns + x
                    // In bounds: the block is within the plane's columns and lines.
                    let target = plane.block(x, number * source.lines + line)
                    turn.apply(
                        source.coefficients + 64 * block, mask: source.masks[block],
                        to: coefficients + 64 * target)
                }
                bytes += plane.columns * Self.blockBytes
            }
            source.clear()
        }
        memory.mapping?.startWritingOut(after: bytes)
    }

    /// Reads row `number` of the turned picture's units.
    func read(_ number: Int, into row: JPEGCoefficientRow, of turned: JPEGFrameHeader) {
        let (across, down) = orientation.reversals
        for (index, target) in row.planes.enumerated() {
            let plane = planes[index]
            let (columns, lines) = turned.blocks(of: turned.components[index])
            for line in 0..<max(0, min(target.lines, lines - number * target.lines)) {
                let below = number * target.lines + line
                for x in 0..<columns {
                    var (left, top) = orientation.exchangesSides ? (below, x) : (x, below)
                    if across { left = plane.columns - 1 - left }
                    if down { top = plane.lines - 1 - top }
                    // In bounds: the turned plane has as many columns and lines, exchanged or not.
                    target.set(
                        line * target.columns + x, to: coefficients + 64 * plane.block(left, top))
                }
            }
            target.pad(
                columns: columns, lines: max(0, lines - number * target.lines),
                unit: turned.components[index].horizontal)
        }
    }
}

extension JPEGCoefficientRow.Plane {
    fileprivate func clear() {
        coefficients.update(repeating: 0, count: columns * lines * stride)
        masks.update(repeating: 0, count: columns * lines)
    }

    fileprivate func set(_ block: Int, to source: UnsafePointer<Int16>) {
        let target = coefficients + 64 * block
        var mask: UInt64 = 0
        for position in 0..<64 {
            let value = source[position]
            target[position] = value
            mask |= (value == 0 ? 0 : 1) &<< UInt64(position)
        }
        masks[block] = mask & ~1
    }

    /// Fills the blocks beyond the first `columns` and `lines` of a row of zeros, as libjpeg does:
    /// each repeats the DC coefficient of the block coded before it.
    fileprivate func pad(columns real: Int, lines realLines: Int, unit: Int) {
        for line in 0..<lines {
            let first = line * columns
            for x in 0..<columns where line >= realLines || x >= real {
                let isFirst = line >= realLines && x % unit == 0
                // The last block of the unit's line above, or the block to the left.
                let previous = isFirst ? first - columns + x + unit - 1 : first + x - 1
                coefficients[64 * (first + x)] = coefficients[64 * previous]
            }
        }
    }
}
