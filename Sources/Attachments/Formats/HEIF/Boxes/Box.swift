import AttachmentModel

/// Box of the ISO base media file format (ISO/IEC 14496-12, 4.2).
struct Box {
    let type: FourCC
    let start: Int
    var payload: Cursor
}

struct BoxSequence {
    /// Above the number of boxes in any container of a real picture, at most one per item.
    static let maximumBoxes = 4096

    private var cursor: Cursor
    private var count = 0

    init(_ section: Cursor) {
        cursor = section
    }

    var remaining: Int { cursor.remaining }

    mutating func next() throws(HeaderFault) -> Box? {
        guard cursor.remaining > 0 else { return nil }
        let start = cursor.offset
        count += 1
        guard count <= Self.maximumBoxes else { throw .corrupt("too many boxes", at: start) }
        var size = Int(try cursor.uint32())
        let type = try cursor.fourCC()
        switch size {
        case 0: size = cursor.end - start  // To the end of the enclosing section.
        case 1: size = Int(clamping: try cursor.uint64())
        default: break
        }
        let headerBytes = cursor.offset - start
        guard size >= headerBytes else { throw .corrupt("a box of \(size) bytes", at: start) }
        return Box(type: type, start: start, payload: try cursor.take(size - headerBytes))
    }
}

extension Cursor {
    mutating func fullBox() throws(HeaderFault) -> (version: UInt8, flags: UInt32) {
        let word = try uint32()
        return (UInt8(word >> 24), word & 0xFF_FFFF)
    }

    mutating func item(isWide: Bool) throws(HeaderFault) -> ItemIdentifier {
        isWide ? try uint32() : ItemIdentifier(try uint16())
    }
}
