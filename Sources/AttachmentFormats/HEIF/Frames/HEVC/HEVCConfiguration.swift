/// An HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1.2).
struct HEVCConfiguration {
    /// Bytes of the length before each NAL unit of the item: 1 to 4.
    let lengthSize: Int
    private(set) var sets = HEVCParameterSets()

    /// Reads the payload of an `hvcC` box; `offset` is that of the picture, for faults.
    init(_ record: [UInt8], at offset: Int) throws(DecodingFault) {
        guard record.count >= 23 else {
            throw DecodingFault(.corrupt, at: offset, "its HEVC configuration is too short")
        }
        lengthSize = Int(record[21] & 3) + 1
        var index = 23
        for _ in 0..<record[22] {
            guard record.count - index >= 3 else { break }
            let count = Int(record[index + 1]) << 8 | Int(record[index + 2])
            index += 3
            for _ in 0..<count {
                guard record.count - index >= 2 else { break }
                let length = Int(record[index]) << 8 | Int(record[index + 1])
                index += 2
                guard record.count - index >= length else {
                    throw DecodingFault(
                        .corrupt, at: offset, "its HEVC configuration ends within a parameter set")
                }
                guard sets.store(record[index..<(index + length)]) else {
                    throw DecodingFault(
                        .overCeiling, at: offset, "its HEVC parameter sets are too long")
                }
                index += length
            }
        }
    }
}
