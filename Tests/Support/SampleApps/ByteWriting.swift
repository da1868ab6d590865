extension [UInt8] {
    /// Appends a number of a fixed count of bytes.
    mutating func append(_ value: Int, count: Int, isBigEndian: Bool = false) {
        for index in 0..<count {
            let shift = 8 * (isBigEndian ? count - 1 - index : index)
            append(UInt8(truncatingIfNeeded: shift < 64 ? value >> shift : 0))
        }
    }

    mutating func append32(_ values: Int...) {
        for value in values { append(value, count: 4) }
    }

    mutating func append16(_ values: Int...) {
        for value in values { append(value, count: 2) }
    }

    mutating func appendBig32(_ values: Int...) {
        for value in values { append(value, count: 4, isBigEndian: true) }
    }

    /// Appends a name, padded with zeros.
    mutating func append(_ name: String, padded count: Int) {
        self +=
            Array(name.utf8.prefix(count)) + [UInt8](repeating: 0, count: count - name.utf8.count)
    }
}
