/// Shape and colour of the ground.
protocol Terrain: Sendable {
    /// Upper bound of the height, in metres above the water.
    var ceiling: Float { get }

    func height(_ place: Plane, detail: Float) -> Float

    /// Diffuse reflectance, from 0 to 1.
    func albedo(_ place: Plane, height: Float, normal: Vector, detail: Float) -> Vector
}
