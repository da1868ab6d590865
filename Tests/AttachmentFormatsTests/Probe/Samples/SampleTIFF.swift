import SampleMedia

/// TIFF structure with one directory, as a file or in an Exif segment.
struct SampleTIFF {
    enum Order { case little, big }

    var order = Order.big
    var isBig = false
    /// Tag, type and values; the stated count may differ.
    var entries: [(tag: Int, type: Int, values: [Int])] = []
    var offsetOfDirectory: Int?
    var claimedEntries: Int?

    static func orientation(_ value: Int, _ order: Order = .big) -> SampleTIFF {
        SampleTIFF(order: order, entries: [(0x0112, 3, [value])])
    }

    /// Fields of a 40x30 picture with three 8-bit samples per pixel.
    static func rgb(_ order: Order = .little, isBig: Bool = false) -> SampleTIFF {
        SampleTIFF(
            order: order, isBig: isBig,
            entries: [
                (256, 3, [40]), (257, 4, [30]), (258, 3, [8, 8, 8]), (259, 3, [1]), (262, 3, [2]),
                (273, 4, [8]), (277, 3, [3]),
            ])
    }

    /// Replaces or adds an entry.
    func with(_ tag: Int, _ type: Int, _ values: [Int]) -> SampleTIFF {
        var copy = self
        copy.entries.removeAll { $0.tag == tag }
        copy.entries.append((tag, type, values))
        return copy
    }

    func without(_ tag: Int) -> SampleTIFF {
        var copy = self
        copy.entries.removeAll { $0.tag == tag }
        return copy
    }

    var bytes: [UInt8] {
        let mark: [UInt8] = order == .little ? .ascii("II") : .ascii("MM")
        let start = offsetOfDirectory ?? (isBig ? 16 : 8)
        let count = claimedEntries ?? entries.count
        let front =
            isBig
            ? mark + number(43, 2) + number(8, 2) + number(0, 2) + number(start, 8)
                + number(count, 8)
            : mark + number(42, 2) + number(start, 4) + number(count, 2)
        let (entrySize, word) = isBig ? (20, 8) : (12, 4)
        var outside = [UInt8]()
        let outsideStart = front.count + entries.count * entrySize + word
        var directory = front
        for entry in entries {
            let width = [1: 1, 2: 1, 3: 2, 4: 4, 7: 1, 16: 8][entry.type] ?? 1
            var values = entry.values.flatMap { number($0, width) }
            if values.count > word {
                let offset = outsideStart + outside.count
                outside += values
                values = number(offset, word)
            }
            directory += number(entry.tag, 2) + number(entry.type, 2)
            directory += number(entry.values.count, word)
            directory += values + .zeros(word - values.count)
        }
        return directory + .zeros(word) + outside
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let little = [UInt8].little64(value).prefix(count)
        return order == .little ? Array(little) : little.reversed()
    }
}
