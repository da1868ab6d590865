/// Groups of rows that two decoders can decode independently of each other.
package struct RowGroups: Sendable {
    package let count: Int
    /// Rows in a group, in pixels of the stored picture.
    package let rows: Int
    /// Samples of a pixel, in all planes; at a smaller scale, each plane may have the size of the first.
    package let samples: Double
    package let planes: Int
    /// Columns that a decoder may add to a row, in pixels of the stored picture.
    package let padding: Int
    /// Heap of another decoder without its rows, in bytes.
    package let decoder: Double

    package init(
        count: Int, rows: Int, samples: Double, planes: Int, padding: Int, decoder: Double
    ) {
        (self.count, self.rows) = (count, rows)
        (self.samples, self.planes, self.padding) = (samples, planes, padding)
        self.decoder = decoder
    }
}
