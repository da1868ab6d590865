import AttachmentContainer
package import AttachmentModel

/// Memory for scoring a JPEG of the picture that it was encoded from (`CSimilarity`).
package enum ScoreDemand {
    /// Upper bound in bytes, which never falls as the picture grows.
    ///
    /// - Parameter columns: Columns of the picture.
    /// - Returns: The bound: the comparison, the JPEG's decoder, and rows of both pictures.
    package static func bytes(columns: Double) -> Double {
        comparison(columns: columns) + decoder + rowsOfPlanes * columns
    }

    /// Memory to enlarge a smaller JPEG for its score: a row of it, two enlarged rows, and the place of
    /// each column, in bytes.
    package static func enlargement(columns: Double) -> Double { (3 + 2 * 3 + 8) * columns }

    /// The comparison itself: at each of six scales a row of both pictures, and eleven rows of sums and
    /// differences of the channels with a weight.
    ///
    /// At four scales, which pictures below 256 pixels have, it takes 110.5 floats a column; at six, 80.
    package static func comparison(columns: Double) -> Double {
        4 * 110.5 * columns + 4 * 4 * (columns + 24) + paddings
    }

    /// Rows of six scales, padded to whole vectors, and the comparison's own fields.
    private static let paddings = 4.0 * 8 * (2 * 4 * 50) + 8192

    /// libjpeg's decoder without rows (measured: 60 kB), and what it writes to its data.
    private static let decoder = 100_000.0
    /// Bytes a column: a row of MCUs in libjpeg, the rows that wait for chroma of both pictures, and
    /// two rows of RGB, each at most 4:4:4.
    private static let rowsOfPlanes = 3.0 * (16 + 18 + 3) + 6 + 4
}

extension Planner {
    /// Memory for the scores of a rendition of so many columns; 0 without a target score.
    func scoring(columns: Double) -> Double {
        settings.scoresRenditions ? ScoreDemand.bytes(columns: columns) : 0
    }
}

extension ProcessingSettings {
    /// True if renditions have a target score and may be JPEGs.
    package var scoresRenditions: Bool { targetScore != nil && stillType != .png }
}
