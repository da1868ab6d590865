/// Memory for choosing a palette and mapping rows to it (`CQuantiser`), whatever the height and the
/// colours.
package enum QuantiserDemand {
    /// Table of 32,768 histogram cells of 24 bytes, which later has the search for colours, and 24,576
    /// cells for merging, which later are the list of colours.
    private static let tables = 24 * (32_768 + 24_576)
    /// Palette, positions, and the allocator's share.
    private static let fixed = 8192

    /// Upper bound for rows of `width` pixels: tables, errors of two rows of 8 bytes a pixel, the row in
    /// RGBA twice, and its indices twice.
    package static func bytes(width: Int) -> Int { tables + fixed + (2 * 8 + 2 * 4 + 2) * width }
}
