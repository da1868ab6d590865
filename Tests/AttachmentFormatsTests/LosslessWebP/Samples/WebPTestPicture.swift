import Randomness

/// Test images that trigger different choices of the encoder.
enum WebPTestPicture: String, CaseIterable {
    /// Smooth gradients with some noise.
    case photograph
    case noise
    case twoColours
    case fourColours
    case sixteenColours
    case palette
    /// Areas of many colours and repeating lines.
    case drawing
    /// One colour.
    case flat

    func samples(width: Int, height: Int, bands: Int, seed: Int) -> WebPSamples {
        var dice = SplitMix64(seed: UInt64(seed))
        let colours = (0..<256).map { _ in (0..<4).map { _ in dice.roll(0...255) } }
        var values: [UInt8] = []
        values.reserveCapacity(width * height * bands)
        for y in 0..<height {
            for x in 0..<width {
                let pixel = pixel(x, y, colours, &dice)
                values += pixel.prefix(bands).map { UInt8(truncatingIfNeeded: $0) }
            }
        }
        return WebPSamples(width: width, height: height, bands: bands, values: values)
    }

    private func pixel(_ x: Int, _ y: Int, _ colours: [[Int]], _ dice: inout SplitMix64) -> [Int] {
        switch self {
        case .photograph:
            let light = 2 * x + y + dice.roll(0...5)
            return [light, light / 2 + 3 * y, 255 - light + dice.roll(0...3), 255 - (x * y) / 9]
        case .noise: return (0..<4).map { _ in dice.roll(0...255) }
        case .twoColours: return colours[dice.roll(0...1)]
        case .fourColours: return colours[(x / 3 + y / 5) % 4]
        case .sixteenColours: return colours[dice.roll(0...3) * (1 + (x / 7) % 4)]
        case .palette: return colours[(x * 7 + y * 3 + dice.roll(0...2)) % 256]
        case .drawing:
            let area = (x / 11 + 3 * (y / 6)) % 40
            let colour = colours[area]
            return [colour[0] + x % 11, colour[1] + y % 6, colour[2], area % 3 == 0 ? 0 : 255]
        case .flat: return colours[0]
        }
    }
}
