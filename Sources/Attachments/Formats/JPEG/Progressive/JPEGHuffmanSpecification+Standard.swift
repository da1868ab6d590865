/// Typical tables of T.81, K.3, which Motion JPEG omits, and extended versions.
extension JPEGHuffmanSpecification {
    /// Table K.3, for luminance.
    static let dcLuminance = JPEGHuffmanSpecification(
        counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: Array(0...11))

    /// Table K.4, for chrominance.
    static let dcChrominance = JPEGHuffmanSpecification(
        counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], symbols: Array(0...11))

    /// Table K.5, for luminance.
    static let acLuminance = JPEGHuffmanSpecification(
        counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
        symbols: completed([
            0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51,
            0x61, 0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1,
            0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72, 0x82,
        ]))

    /// Table K.6, for chrominance.
    static let acChrominance = JPEGHuffmanSpecification(
        counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
        symbols: completed([
            0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07,
            0x61, 0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09,
            0x23, 0x33, 0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1, 0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25,
            0xF1,
        ]))

    /// Extends the table with codes for every symbol that a decoder of 8-bit samples accepts.
    ///
    /// The typical tables end at DC category 11 and AC category 10, enough for valid samples.
    /// Hostile files, and damaged files in tolerant mode, have coefficients of up to 16 bits, and
    /// libjpeg accepts categories up to 15.
    ///
    /// DC: four codes, each one bit longer, replace the all-ones code. AC: all codes are taken, so
    /// the last symbol of nine bits moves to a 16-bit code. This frees 127 codes of 16 bits, of
    /// which categories 11 to 15 use 80.
    func extended(as kind: Class) -> JPEGHuffmanSpecification {
        var table = self
        switch kind {
        case .dc:
            let longest = table.counts.lastIndex { $0 > 0 } ?? 0
            for length in 1...4 { table.counts[longest + length] = 1 }
            table.symbols += 12...15
        case .ac:
            let ninth = table.counts[..<9].reduce(0) { $0 + Int($1) }
            let moved = table.symbols.remove(at: ninth - 1)
            let larger = (0...15).flatMap { run in (11...15).map { UInt8(run << 4 | $0) } }
            table.symbols += [moved] + larger
            table.counts[8] -= 1
            table.counts[15] += UInt8(1 + larger.count)
        }
        return table
    }

    /// Appends the remaining AC symbols, the long codes, which both tables list in order.
    private static func completed(_ short: [UInt8]) -> [UInt8] {
        let all = (0...15).flatMap { run in (1...10).map { UInt8(run << 4 | $0) } }
        return short + all.filter { !short.contains($0) }
    }
}
