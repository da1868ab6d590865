/// A matrix of three rows and columns.
struct Matrix3 {
    /// The first column.
    var first: SIMD3<Float>
    /// The second column.
    var second: SIMD3<Float>
    /// The third column.
    var third: SIMD3<Float>

    /// Puts columns together.
    init(columns first: SIMD3<Float>, _ second: SIMD3<Float>, _ third: SIMD3<Float>) {
        (self.first, self.second, self.third) = (first, second, third)
    }

    /// The matrix that undoes this one, by cross products (Cramer's rule); its determinant must not
    /// be 0.
    var inverse: Matrix3 {
        let (a, b, c) = (cross(second, third), cross(third, first), cross(first, second))
        let scale = 1 / (first * a).sum()
        return Matrix3(
            columns: SIMD3(a.x, b.x, c.x) * scale, SIMD3(a.y, b.y, c.y) * scale,
            SIMD3(a.z, b.z, c.z) * scale)
    }

    /// Multiplies a vector.
    @inline(__always)
    static func * (matrix: Matrix3, vector: SIMD3<Float>) -> SIMD3<Float> {
        matrix.first * vector.x + matrix.second * vector.y + matrix.third * vector.z
    }

    /// Multiplies two matrices.
    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(columns: left * right.first, left * right.second, left * right.third)
    }
}

private func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
