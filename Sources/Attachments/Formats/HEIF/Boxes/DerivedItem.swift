internal import AttachmentContainer
internal import AttachmentModel

/// Contents of a grid or overlay item, with fields of 16 or 32 bits (ISO/IEC 23008-12, 6.6.2).
struct DerivedItem {
    let bytes: [UInt8]
    private let headBytes: Int
    private let fieldBytes: Int

    /// Later bytes are ignored.
    init(
        _ extents: [Range<Int>], of reader: BoundedReader, headBytes: Int, fields: Int, name: String
    ) throws(HeaderFault) {
        bytes = try CodedBytes(extents, of: reader).read(0..<headBytes + 4 * fields)
        self.headBytes = headBytes
        fieldBytes = bytes.count > 1 && bytes[1] & 1 == 1 ? 4 : 2
        guard bytes.count >= headBytes + fieldBytes * fields, bytes[0] == 0 else {
            throw .corrupt("\(name) without its description", at: extents.first?.lowerBound ?? 0)
        }
    }

    func claimedSize() throws(HeaderFault) -> PixelSize {
        try PixelSize(claimed: Int(field(0)), Int(field(1)))
    }

    private func field(_ index: Int) -> UInt32 {
        bytes.dropFirst(headBytes + index * fieldBytes).prefix(fieldBytes).reduce(0) {
            $0 << 8 | UInt32($1)
        }
    }

    func signedField(_ index: Int) -> Int {
        let bits = field(index)
        return fieldBytes == 2 ? Int(Int16(truncatingIfNeeded: bits)) : Int(Int32(bitPattern: bits))
    }
}
