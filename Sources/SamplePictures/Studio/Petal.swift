import Foundation

/// One petal of a gerbera; its frame has the flower's centre at the origin and its own tip ahead.
struct Petal: Sendable {
    /// How many florets and rays the flower has.
    static let count = florets + 92
    /// How far the florets reach.
    static let disc: Float = 0.21

    private static let florets = 230
    /// π (3 - √5): the angle that leaves no petal right above another.
    private static let goldenAngle: Float = 2.399_963

    /// Whether it is one of the small ones in the middle.
    let isFloret: Bool
    /// How far the tip reaches.
    let tip: Float
    /// Where it points, in radians.
    let angle: Float
    /// How much it leans to a side, from -1 to 1.
    let roll: Float
    /// How much it rises towards the viewer, from -1 to 1.
    let lift: Float
    /// Tells one petal's veins from another's.
    let seed: UInt32

    private let root: Float
    private let width: Float

    /// A petal of the flower.
    ///
    /// - Parameter index: Counted from the centre.
    init(index: Int) {
        let own = Noise.random(index, 0, seed: 51)
        isFloret = index < Self.florets
        if isFloret {
            tip = 0.016 + Self.disc * (Float(index) / Float(Self.florets)).squareRoot()
            root = tip - 0.05
            width = 0.0125
        } else {
            let share = Float(index - Self.florets) / 92
            tip = mix(0.48, 0.76, share.squareRoot()) * (0.97 + 0.06 * own.x)
            root = 0.12
            width = mix(0.064, 0.076, share) * (0.9 + 0.2 * own.w)
        }
        angle = Float(index) * Self.goldenAngle + (own.y - 0.5) * 0.14
        roll = own.z * 2 - 1
        lift = own.w * 2 - 1
        seed = UInt32(index) &* 31 &+ 9
    }

    /// Where a place lies on the petal.
    ///
    /// - Parameter spot: In the petal's frame.
    /// - Returns: The share of the way from the centre to the tip, and of the half width from the
    ///   middle.
    func share(_ spot: Plane) -> (along: Float, across: Float) {
        (spot.x / tip, spot.y / max(halfWidth(spot.x), 1e-4))
    }

    /// How far a place lies outside the edge; negative inside.
    ///
    /// - Parameter spot: In the petal's frame.
    /// - Returns: About the distance.
    func edge(_ spot: Plane) -> Float {
        max(abs(spot.y) - halfWidth(spot.x), spot.x - tip, root - spot.x)
    }

    private func halfWidth(_ x: Float) -> Float {
        let t = min(max((x - root) / (tip - root), 0), 1)
        // Slender at the root, widest at two thirds, rounded to a blunt point at the tip.
        let body = isFloret ? Float(1) : mix(0.45, 1, smoothstep(0, 0.65, t))
        return width * body * max(1 - pow(t, 7), 0).squareRoot()
    }
}
