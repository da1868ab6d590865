/// A rectangle of whole pixels; empty if it has no columns or no rows.
package struct PixelRect: Hashable, Sendable {
    package var left: Int
    package var top: Int
    /// Column after the last, as `bottom` is the row after the last.
    package var right: Int
    package var bottom: Int

    package init(left: Int, top: Int, right: Int, bottom: Int) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    package init(width: Int, height: Int) {
        self.init(left: 0, top: 0, right: width, bottom: height)
    }

    package static let empty = PixelRect(left: 0, top: 0, right: 0, bottom: 0)

    package var width: Int { max(0, right - left) }
    package var height: Int { max(0, bottom - top) }
    package var area: Int { width * height }
    package var isEmpty: Bool { width == 0 || height == 0 }

    func covers(width: Int, height: Int) -> Bool {
        left == 0 && top == 0 && right >= width && bottom >= height
    }

    package func intersection(_ other: PixelRect) -> PixelRect {
        let shared = PixelRect(
            left: max(left, other.left), top: max(top, other.top),
            right: min(right, other.right), bottom: min(bottom, other.bottom))
        return shared.isEmpty ? .empty : shared
    }

    package func union(_ other: PixelRect) -> PixelRect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return PixelRect(
            left: min(left, other.left), top: min(top, other.top),
            right: max(right, other.right), bottom: max(bottom, other.bottom))
    }
}
