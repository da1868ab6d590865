/// The sky above a landscape, which also lights it.
protocol Firmament: Sendable {
    /// Direction of the brightest light; a unit vector, y up.
    var sun: Vector { get }
    /// Its light on a surface that faces it.
    var sunlight: Vector { get }
    /// Light of the rest of the sky on a level surface.
    var skylight: Vector { get }

    func light(_ direction: Vector) -> Vector

    /// Light of the air alone, without objects behind it.
    func air(_ direction: Vector) -> Vector
}
