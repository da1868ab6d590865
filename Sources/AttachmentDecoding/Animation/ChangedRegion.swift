/// Where a canvas changed: a few rectangles, so that two far corners are not all that lies between.
package struct ChangedRegion: Hashable, Sendable {
    /// The rectangles, none of them empty; they may overlap a little.
    package private(set) var rects: [PixelRect] = []

    /// How many rectangles are kept apart.
    package static let mostRects = 32

    /// Makes a region.
    ///
    /// - Parameter rects: What it consists of. The default is nothing.
    package init(_ rects: PixelRect...) { rects.forEach { insert($0) } }

    /// Whether there is nothing in it.
    package var isEmpty: Bool { rects.isEmpty }

    /// Adds a rectangle.
    ///
    /// One rectangle around it and another takes their place where it has no more pixels than they
    /// have, and, when there are too many, wherever that adds the fewest.
    ///
    /// - Parameter rect: The rectangle.
    package mutating func insert(_ rect: PixelRect) {
        guard !rect.isEmpty else { return }
        let growths = rects.map { $0.union(rect).area - $0.area - rect.area }
        let nearest = growths.indices.min { growths[$0] < growths[$1] }
        if let nearest, growths[nearest] <= 0 || rects.count == Self.mostRects {
            rects[nearest] = rects[nearest].union(rect)
        } else {
            rects.append(rect)
        }
    }

    /// Adds another region.
    ///
    /// - Parameter other: The other one.
    package mutating func formUnion(_ other: ChangedRegion) { other.rects.forEach { insert($0) } }
}
