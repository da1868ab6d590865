/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2).
struct Box {
    let type: FourCC
    /// Where the box begins in the file.
    let start: Int
    /// What the box holds.
    var payload: Cursor
}

/// The boxes that follow each other in a stretch of a file.
struct BoxSequence {
    /// More boxes than any container of a real picture has; one box an item is the largest.
    static let maximumBoxes = 4096

    private var cursor: Cursor
    private var count = 0

    /// Makes a sequence.
    ///
    /// - Parameter stretch: From the first box to the end of the last.
    init(_ stretch: Cursor) {
        cursor = stretch
    }

    /// Bytes between here and the end of the stretch.
    var remaining: Int { cursor.remaining }

    /// Reads the front of the next box and passes over what it holds.
    ///
    /// - Returns: The box, nil at the end of the stretch.
    /// - Throws: `truncated` or `corrupt` when the box is longer than the stretch; `corrupt` when
    ///   it is shorter than its own front, or the boxes are too many.
    mutating func next() throws(HeaderFault) -> Box? {
        guard cursor.remaining > 0 else { return nil }
        let start = cursor.offset
        count += 1
        guard count <= Self.maximumBoxes else { throw .corrupt("too many boxes", at: start) }
        var size = Int(try cursor.uint32())
        let type = try cursor.fourCC()
        switch size {
        case 0: size = cursor.end - start  // To the end of what it stands in.
        case 1: size = Int(clamping: try cursor.uint64())
        default: break
        }
        let front = cursor.offset - start
        guard size >= front else { throw .corrupt("a box of \(size) bytes", at: start) }
        return Box(type: type, start: start, payload: try cursor.take(size - front))
    }
}

extension Cursor {
    /// Reads the version and flags in front of a full box (4.2).
    mutating func fullBox() throws(HeaderFault) -> (version: UInt8, flags: UInt32) {
        let word = try uint32()
        return (UInt8(word >> 24), word & 0xFF_FFFF)
    }

    /// Reads an item identifier, which is narrow in old versions of a box and wide in new ones.
    mutating func item(isWide: Bool) throws(HeaderFault) -> ItemIdentifier {
        isWide ? try uint32() : ItemIdentifier(try uint16())
    }
}
