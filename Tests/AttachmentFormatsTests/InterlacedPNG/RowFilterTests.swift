import CPredictors
import Randomness
import Testing

@Suite("Filters of PNG rows")
struct RowFilterTests {
    @Test("Vector instructions reverse each filter like the plain code", arguments: 0..<20)
    func vectors(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        // Few values, so that distances are equal now and then.
        let mask = [0xFF, 0x0F, 0x01][seed % 3] as UInt64
        for unit in [1, 2, 3, 4, 6, 8] {
            for filter in [
                THIMBLE_FILTER_NONE, THIMBLE_FILTER_SUB, THIMBLE_FILTER_UP,
                THIMBLE_FILTER_AVERAGE, THIMBLE_FILTER_PAETH,
            ].map({ CInt($0) }) {
                let count = unit * (1 + Int(random.next() % 70))
                let padded = count + Int(thimble_filter_padding)
                let noise = { (0..<padded).map { _ in UInt8(random.next() & mask) } }
                let (filtered, above) = (noise(), noise())
                var (row, plain) = (above, above)
                thimble_unfilter(filter, filtered, &row, count, unit)
                thimble_unfilter_plain(filter, filtered, &plain, count, unit)
                #expect(row.prefix(count) == plain.prefix(count), "filter \(filter), unit \(unit)")
            }
        }
    }

    @Test("Paeth selects the nearest neighbour")
    func paeth() {
        // The second of two pixels of one byte.
        for (left, above, corner, nearest) in [
            (10, 20, 10, 20), (20, 10, 10, 20), (10, 10, 10, 10), (1, 9, 5, 5), (7, 3, 9, 3),
        ] as [(UInt8, UInt8, UInt8, UInt8)] {
            var row = [corner, above] + [UInt8](repeating: 0, count: 8)
            let first = left &- corner
            let filtered = [first, 0] + [UInt8](repeating: 0, count: 8)
            thimble_unfilter(CInt(THIMBLE_FILTER_PAETH), filtered, &row, 2, 1)
            #expect(Array(row.prefix(2)) == [left, nearest])
        }
    }
}
