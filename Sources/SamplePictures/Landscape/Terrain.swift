/// The shape and the colour of the ground.
protocol Terrain: Sendable {
    /// No ground is higher, in metres above the water.
    var ceiling: Float { get }

    /// The height of the ground above the water.
    ///
    /// - Parameters:
    ///   - place: In metres, to the right of the camera and ahead of it.
    ///   - detail: The size below which nothing can be seen, in metres.
    /// - Returns: In metres.
    func height(_ place: Plane, detail: Float) -> Float

    /// The share of light that the ground sends back.
    ///
    /// - Parameters:
    ///   - place: In metres, to the right of the camera and ahead of it.
    ///   - height: In metres above the water.
    ///   - normal: The direction that the ground faces, of length 1, y up.
    ///   - detail: The size below which nothing can be seen, in metres.
    /// - Returns: For each primary, 0 to 1.
    func albedo(_ place: Plane, height: Float, normal: Vector, detail: Float) -> Vector
}
