/// Planes of YCbCr, 4:2:0, with whole MCUs, for encoders that take no rows of RGB.
struct Planes {
    let width: Int
    let height: Int
    /// Bytes of the rows: multiples of 16, and of 8 for chroma.
    let strides: [Int]
    private let planes: [UnsafeMutablePointer<UInt8>]

    /// Rows of luma and of each chroma plane in a row of MCUs.
    static let rowsOfUnit = [16, 8, 8]

    /// Converts by ITU-T T.871, section 7; chroma is the average of four pixels.
    init(_ picture: PixelFile) {
        (width, height) = (picture.width, picture.height)
        let (across, down) = ((width + 15) / 16, (height + 15) / 16)
        strides = [16 * across, 8 * across, 8 * across]
        planes = zip(strides, Self.rowsOfUnit).map {
            .allocate(capacity: $0 * $1 * down)
        }
        for y in 0..<16 * down {
            for x in 0..<16 * across {
                planes[0][y * strides[0] + x] = Self.sample(
                    Self.colour(of: picture, x, y), 0.299, 0.587, 0.114, offset: 0)
            }
        }
        for y in 0..<8 * down {
            for x in 0..<8 * across {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map {
                    Self.colour(of: picture, 2 * x + $0, 2 * y + $1)
                }
                let mean = four.reduce(SIMD3<Float>.zero, +) / 4
                let index = y * strides[1] + x
                planes[1][index] = Self.sample(mean, -0.168736, -0.331264, 0.5, offset: 128)
                planes[2][index] = Self.sample(mean, 0.5, -0.418688, -0.081312, offset: 128)
            }
        }
    }

    /// Calls `body` with the first samples of each row of MCUs.
    func forEachUnit(_ body: ([UnsafeMutablePointer<UInt8>]) -> Void) {
        for unit in 0..<(height + 15) / 16 {
            body(
                planes.indices.map {
                    planes[$0] + unit * Self.rowsOfUnit[$0] * strides[$0]
                })
        }
    }

    /// Frees the planes.
    func deallocate() { for plane in planes { plane.deallocate() } }

    /// The colour of a pixel; beyond the picture, of its last column or row.
    private static func colour(of picture: PixelFile, _ x: Int, _ y: Int) -> SIMD3<Float> {
        let pixel = min(y, picture.height - 1) * picture.width + min(x, picture.width - 1)
        return SIMD3(
            Float(picture.samples[3 * pixel]), Float(picture.samples[3 * pixel + 1]),
            Float(picture.samples[3 * pixel + 2]))
    }

    private static func sample(
        _ colour: SIMD3<Float>, _ red: Float, _ green: Float, _ blue: Float, offset: Float
    ) -> UInt8 {
        let sum = colour.x * red + colour.y * green + colour.z * blue + offset
        return UInt8(min(255, max(0, sum.rounded())))
    }
}
