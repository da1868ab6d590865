/// What is above a landscape and lights it.
protocol Firmament: Sendable {
    /// Where the brightest light stands; of length 1, y up.
    var sun: Vector { get }
    /// Its light on a surface that faces it.
    var sunlight: Vector { get }
    /// What all the rest sheds on a level surface.
    var skylight: Vector { get }

    /// The light that comes from a direction.
    ///
    /// - Parameter direction: Of length 1, y up.
    /// - Returns: Linear light.
    func light(_ direction: Vector) -> Vector

    /// The light of the air alone, without what stands behind it.
    ///
    /// - Parameter direction: Of length 1, y up; below the horizon counts as the horizon.
    /// - Returns: Linear light.
    func air(_ direction: Vector) -> Vector
}
