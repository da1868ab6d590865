/// Memory of the encoder of JPEGs of the engine of rows (`CJPEGEncoder`).
package enum JPEGEncoderDemand {
    /// 256 KiB of held symbols, tables, output, and the allocator's share.
    private static let fixed = 320_000.0
    /// Rows of luma and halved chroma for a row of MCUs, and four of chroma before it is halved, in bytes a
    /// column.
    private static let rows = 28.0

    /// Upper bound in bytes for rows of so many columns, whatever the height and the layout.
    package static func bytes(columns: Double) -> Double { fixed + rows * columns }
}
