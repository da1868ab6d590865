/// A rectangle of whole pixels; empty when it has no column or no row.
package struct PixelRect: Hashable, Sendable {
    /// The first column.
    package var left: Int
    /// The first row.
    package var top: Int
    /// The column behind the last one.
    package var right: Int
    /// The row behind the last one.
    package var bottom: Int

    /// Makes a rectangle.
    ///
    /// - Parameters:
    ///   - left: The first column.
    ///   - top: The first row.
    ///   - right: The column behind the last one.
    ///   - bottom: The row behind the last one.
    package init(left: Int, top: Int, right: Int, bottom: Int) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    /// The rectangle of a whole picture.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    package init(width: Int, height: Int) {
        self.init(left: 0, top: 0, right: width, bottom: height)
    }

    /// A rectangle without pixels.
    package static let empty = PixelRect(left: 0, top: 0, right: 0, bottom: 0)

    /// Pixels in a row.
    package var width: Int { max(0, right - left) }
    /// Rows.
    package var height: Int { max(0, bottom - top) }
    /// How many pixels there are.
    package var area: Int { width * height }
    /// Whether there are none.
    package var isEmpty: Bool { width == 0 || height == 0 }

    /// What two rectangles share.
    ///
    /// - Parameter other: The other one.
    /// - Returns: The rectangle of that.
    package func intersection(_ other: PixelRect) -> PixelRect {
        let shared = PixelRect(
            left: max(left, other.left), top: max(top, other.top),
            right: min(right, other.right), bottom: min(bottom, other.bottom))
        return shared.isEmpty ? .empty : shared
    }

    /// The least rectangle that holds two.
    ///
    /// - Parameter other: The other one.
    /// - Returns: The rectangle around both.
    package func union(_ other: PixelRect) -> PixelRect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return PixelRect(
            left: min(left, other.left), top: min(top, other.top),
            right: max(right, other.right), bottom: max(bottom, other.bottom))
    }
}
