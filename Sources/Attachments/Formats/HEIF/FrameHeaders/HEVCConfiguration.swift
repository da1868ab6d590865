/// Parameter sets in an HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1.2).
struct HEVCConfiguration: IteratorProtocol {
    let lengthSize: Int
    private(set) var isTruncated = false
    private let record: [UInt8]
    private var index = 23
    private var arraysLeft: Int
    private var unitsLeft = 0

    /// `record` has at least 23 bytes.
    init(_ record: [UInt8]) {
        self.record = record
        lengthSize = Int(record[21] & 3) + 1
        arraysLeft = Int(record[22])
    }

    mutating func next() -> ArraySlice<UInt8>? {
        while unitsLeft == 0 {
            guard arraysLeft > 0, record.count - index >= 3 else { return nil }
            arraysLeft -= 1
            index += 1
            unitsLeft = readLength()
        }
        guard record.count - index >= 2 else { return nil }
        unitsLeft -= 1
        let length = readLength()
        guard record.count - index >= length else {
            isTruncated = true
            return nil
        }
        defer { index += length }
        return record[index..<index + length]
    }

    private mutating func readLength() -> Int {
        defer { index += 2 }
        return Int(record[index]) << 8 | Int(record[index + 1])
    }
}
