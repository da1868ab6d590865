import Foundation

/// One petal of a gerbera, in a frame with the flower's centre at the origin and the tip ahead.
struct Petal: Sendable {
    /// Number of florets and rays.
    static let count = florets + 92
    /// Radius of the florets.
    static let disc: Float = 0.21

    private static let florets = 230
    /// π (3 - √5), at which no two petals coincide.
    private static let goldenAngle: Float = 2.399_963

    /// True for the small petals in the middle.
    let isFloret: Bool
    /// Distance of the tip from the centre.
    let tip: Float
    /// Direction, in radians.
    let angle: Float
    /// Sideways inclination, from -1 to 1.
    let roll: Float
    /// Inclination towards the viewer, from -1 to 1.
    let lift: Float
    /// Selects the veins.
    let seed: UInt32

    private let root: Float
    private let width: Float

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

    /// Relative position on the petal.
    func share(_ spot: Plane) -> (along: Float, across: Float) {
        (spot.x / tip, spot.y / max(halfWidth(spot.x), 1e-4))
    }

    /// Signed distance to the edge; negative inside.
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
