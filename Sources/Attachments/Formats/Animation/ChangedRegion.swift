/// Changed part of a canvas, as a few rectangles; a bounding box would join distant corners.
package struct ChangedRegion: Hashable, Sendable {
    /// Rectangles that are not empty; they may overlap slightly.
    package private(set) var rects: [PixelRect] = []

    package static let mostRects = 32

    package init(_ rects: PixelRect...) { rects.forEach { insert($0) } }

    package var isEmpty: Bool { rects.isEmpty }

    /// Adds a rectangle.
    ///
    /// It is merged with another if their bounding box has no more pixels than both together. Above
    /// the limit, it is merged wherever that adds the fewest pixels.
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

    package mutating func formUnion(_ other: ChangedRegion) { other.rects.forEach { insert($0) } }
}
