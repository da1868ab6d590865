import AttachmentContainer
import Foundation
import Testing

@Suite("ThumbHash")
struct ThumbHashTests {
    @Test("A hash is byte for byte that of another implementation", arguments: try Vector.all())
    func encoding(vector: Vector) throws {
        let hash = try #require(
            ThumbHash(width: vector.width, height: vector.height, rgba: vector.picture))
        #expect(hash.rawValue == vector.hash)
    }

    @Test("A likeness is within one step of another implementation's", arguments: try Vector.all())
    func decoding(vector: Vector) throws {
        let likeness = try #require(ThumbHash(rawValue: vector.hash)).raster()
        #expect(likeness.size == vector.likeness.size)
        #expect(likeness.rgba.count == likeness.size.pixelCount * 4)
        for (step, expected) in vector.likeness.pixels.enumerated() {
            let start = step * 37 * 4
            for (sample, other) in zip(likeness.rgba[start..<start + 4], expected) {
                #expect(abs(Int(sample) - other) <= 1, "pixel \(step * 37)")
            }
        }
    }

    @Test("The average colour is another implementation's", arguments: try Vector.all())
    func average(vector: Vector) throws {
        let colour = try #require(ThumbHash(rawValue: vector.hash)).averageColour
        let channels = [colour.red, colour.green, colour.blue].map(Int.init)
        #expect(zip(channels, vector.average).allSatisfy { abs($0 - $1) <= 1 })
    }

    @Test(
        "The ratio is the picture's, height by width", arguments: [(100, 50), (50, 100), (70, 70)])
    func ratio(width: Int, height: Int) throws {
        let grey = [UInt8](repeating: 255, count: width * height * 4)
        let hash = try #require(ThumbHash(width: width, height: height, rgba: grey))
        #expect(abs(hash.approximateRatio / (Double(height) / Double(width)) - 1) < 0.15)
    }

    @Test("Sides beyond 1 to 100 and missing samples give no hash")
    func refusedPictures() {
        #expect(ThumbHash(width: 0, height: 1, rgba: []) == nil)
        #expect(ThumbHash(width: 101, height: 1, rgba: .init(repeating: 0, count: 404)) == nil)
        #expect(ThumbHash(width: 1, height: 101, rgba: .init(repeating: 0, count: 404)) == nil)
        #expect(ThumbHash(width: 2, height: 2, rgba: .init(repeating: 0, count: 15)) == nil)
        #expect(ThumbHash(width: .max, height: 2, rgba: []) == nil)
    }

    @Test("Bytes that no encoder writes are refused and never trap")
    func refusedBytes() throws {
        let whole = try #require(ThumbHash(rawValue: Vector.all()[0].hash)).bytes
        for length in 0..<whole.count {
            #expect(ThumbHash(bytes: Array(whole.prefix(length))) == nil)
        }
        #expect(ThumbHash(bytes: whole + [0]) == nil)
        #expect(ThumbHash(rawValue: "not base64") == nil)
        var shapeless = whole
        shapeless[3] &= ~7
        #expect(ThumbHash(bytes: shapeless) == nil)

        var random = Noise(seed: 7)
        var accepted = 0
        for _ in 0..<5_000 {
            let length = Int(random.next()) % 40
            guard let hash = ThumbHash(bytes: (0..<length).map { _ in random.next() }) else {
                continue
            }
            accepted += 1
            #expect(hash.raster().size.pixelCount > 0)
        }
        #expect(accepted > 0)
    }
}

/// One entry of `Vectors/thumbhash.json`, which `make_thumbhash_vectors.py` makes.
struct Vector: Decodable, Sendable, CustomTestStringConvertible {
    struct Likeness: Decodable {
        var width, height: Int
        /// Every 37th pixel.
        var pixels: [[Int]]

        var size: PixelSize { PixelSize(width: width, height: height) }
    }

    var recipe: String
    var width, height: Int
    var hash: String
    var average: [Int]
    var likeness: Likeness

    var testDescription: String { "\(recipe) \(width)x\(height)" }

    static func all() throws -> [Vector] {
        let file = try #require(Bundle.module.url(forResource: "thumbhash", withExtension: "json"))
        return try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
    }

    /// The picture that the script draws for the recipe.
    var picture: [UInt8] {
        var random = Noise(seed: UInt32(width * 1000 + height))
        var samples: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let across = UInt8(255 * x / max(1, width - 1))
                let down = UInt8(255 * y / max(1, height - 1))
                let (dx, dy, side) = (2 * x - width, 2 * y - height, min(width, height))
                let isInside = dx * dx + dy * dy < side * side
                switch recipe {
                case "flat": samples += [200, 80, 40, 255]
                case "grey": samples += [down, down, down, 255]
                case "gradient": samples += [across, down, 128, 255]
                case "noise": samples += [random.next(), random.next(), random.next(), 255]
                case "fade": samples += [down, 120, 255 - down, across]
                case "disc": samples += [across, 90, down, isInside ? 255 : 0]
                case "glass": samples += (0..<4).map { _ in random.next() }
                case "clear": samples += [across, down, 128, 0]
                default: Issue.record("there is no recipe \(recipe)")
                }
            }
        }
        return samples
    }
}

/// The high bytes of a linear congruential generator (Numerical Recipes, section 7.1).
struct Noise {
    private var state: UInt32

    init(seed: UInt32) { state = seed }

    mutating func next() -> UInt8 {
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(state >> 24)
    }
}
