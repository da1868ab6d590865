/// The OBUs of a picture (AV1 bitstream specification, 5.3).
struct AV1Units {
    /// An OBU.
    struct Unit {
        /// What it holds (6.2.2).
        var type: Int
        /// The layer in time that it belongs to.
        var temporalLayer: Int
        /// The layer in space that it belongs to.
        var spatialLayer: Int
        /// Its bytes without the header.
        var payload: UnsafeRawBufferPointer
    }

    /// The type of a frame's header.
    static let frameHeader = 3
    /// The type of a frame's header with its tiles behind it.
    static let frame = 6

    /// The type of metadata.
    static let metadata = 5

    /// Where the next OBU begins, in bytes from the first.
    private(set) var offset = 0
    // Valid as long as the value is used: it does not leave the call that is given the bytes.
    private var rest: UnsafeRawBufferPointer

    /// Begins at the first OBU.
    ///
    /// - Parameter bytes: All OBUs; they must outlive the value.
    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes
    }

    /// Reads the next OBU; nil at the end, or where the bytes break the rules.
    mutating func next() -> Unit? {
        guard let first = rest.first, first & 0x80 == 0 else { return nil }
        var header = 1
        var unit = Unit(
            type: Int(first >> 3 & 15), temporalLayer: 0, spatialLayer: 0, payload: rest)
        if first & 4 != 0 {
            guard rest.count > 1 else { return nil }
            unit.temporalLayer = Int(rest[1] >> 5)
            unit.spatialLayer = Int(rest[1] >> 3 & 3)
            header = 2
        }
        var length = rest.count - header
        if first & 2 != 0 {
            guard let size = readSize(&header), size <= rest.count - header else { return nil }
            length = size
        }
        unit.payload = UnsafeRawBufferPointer(rebasing: rest[header..<(header + length)])
        rest = UnsafeRawBufferPointer(rebasing: rest[(header + length)...])
        offset += header + length
        return unit
    }

    /// Reads a number of variable length, leb128 (4.10.5).
    private func readSize(_ index: inout Int) -> Int? {
        var value = 0
        for group in 0..<8 {
            guard index < rest.count else { return nil }
            let byte = rest[index]
            index += 1
            value |= Int(byte & 0x7F) << (7 * group)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
