import CQuantiser
import Randomness
import Testing

@Suite("Quantiser", .timeLimit(.minutes(2)))
struct QuantiserTests {
    @Test("Up to 256 opaque colours are kept, and so is every pixel", arguments: [1, 2, 200, 256])
    func exactColours(count: Int) throws {
        let picture = try QuantisedPicture(width: 64, height: 48) { x, y in
            let colour = (y * 64 + x) % count
            return [UInt8(colour), UInt8(colour * 7 & 255), UInt8(255 - colour), 255]
        }
        #expect(picture.colourCount == count)
        #expect(picture.shown == picture.source)
    }

    @Test("Transparent pixels stay transparent and opaque ones opaque, and no others join them")
    func alphas() throws {
        var random = SplitMix64(seed: 7)
        let picture = try QuantisedPicture(width: 120, height: 90) { x, y in
            let noise = random.next()
            let alpha = [0, 255, UInt8(truncatingIfNeeded: noise >> 24)][(x / 5 + y / 7) % 3]
            return [
                UInt8(truncatingIfNeeded: noise), UInt8(truncatingIfNeeded: noise >> 8),
                UInt8(truncatingIfNeeded: noise >> 16), alpha,
            ]
        }
        for (source, shown) in zip(
            picture.alphas(of: picture.source), picture.alphas(of: picture.shown))
        {
            if source == 0 || source == 255 { #expect(shown == source) }
        }
        let transparent = stride(from: 3, to: picture.palette.count, by: 4).filter {
            picture.palette[$0] < 255
        }
        // PNG lists alphas up to the last that is not opaque.
        #expect(transparent == transparent.indices.map { 4 * $0 + 3 })
    }

    @Test("A gradient of colours keeps its local means within three levels")
    func gradient() throws {
        let picture = try QuantisedPicture(width: 256, height: 256) { x, y in
            [UInt8(x), UInt8(y), UInt8((x + y) / 2), 255]
        }
        #expect(picture.colourCount == 256)
        #expect(picture.largestError(ofSquares: 16) < 3)
        #expect(picture.error < 60)
    }

    @Test("A shadow keeps its local means within three levels, over black")
    func shadow() throws {
        let picture = try QuantisedPicture(width: 256, height: 128) { x, y in
            [UInt8(y), 90, UInt8(255 - y), UInt8(x)]
        }
        #expect(picture.largestError(ofSquares: 16) < 3)
    }

    @Test("More colours never show a larger error")
    func monotone() throws {
        var last = Double.infinity
        for most in [4, 16, 64, 128, 256] {
            let picture = try QuantisedPicture(width: 200, height: 150, most: most) { x, y in
                [UInt8(x), UInt8((x * y / 60) & 255), UInt8(y), UInt8(255 - x / 2)]
            }
            #expect(picture.colourCount <= most)
            #expect(picture.error < last, "\(most)")
            last = picture.error
        }
    }

    @Test("Noise takes as many bytes as one colour, within those of two rows a megabyte and a half")
    func memory() {
        #expect(thimble_quantiser_bytes(1200) < 1_500_000)
        #expect(thimble_quantiser_bytes(1201) - thimble_quantiser_bytes(1200) == 16)
        #expect(thimble_quantiser_bytes(0) == 0 && thimble_quantiser_new(0) == nil)
        #expect(thimble_quantiser_bytes(-1) == 0 && thimble_quantiser_new(-1) == nil)
    }

    @Test(
        "Noise with alpha has all colours of a palette, with at most a third of one colour's error")
    func noise() throws {
        let pixel = { (random: inout SplitMix64) -> SIMD4<UInt8> in
            let noise = random.next()
            return [
                UInt8(truncatingIfNeeded: noise), UInt8(truncatingIfNeeded: noise >> 8),
                UInt8(truncatingIfNeeded: noise >> 16), UInt8(truncatingIfNeeded: noise >> 24),
            ]
        }
        var random = SplitMix64(seed: 3)
        let few = try QuantisedPicture(width: 300, height: 200, most: 4) { _, _ in pixel(&random) }
        random = SplitMix64(seed: 3)
        let many = try QuantisedPicture(width: 300, height: 200) { _, _ in pixel(&random) }
        #expect(many.colourCount == 256)
        #expect(many.error < few.error / 3)
    }

    @Test("Pixels without errors of neighbours get the nearest colour of the palette")
    func nearest() throws {
        var random = SplitMix64(seed: 21)
        let noise = {
            let bits = random.next()
            let alphas: [UInt8] = [255, 255, UInt8(truncatingIfNeeded: bits >> 24)]
            return SIMD4<UInt8>(
                UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8),
                UInt8(truncatingIfNeeded: bits >> 16), alphas[Int(bits >> 40 % 3)])
        }
        // Errors do not cross transparent pixels to the right.
        let picture = try QuantisedPicture(width: 1001, height: 60) { x, _ in
            x % 2 == 0 ? noise() : [0, 0, 0, 0]
        }
        let colours = stride(from: 0, to: picture.palette.count, by: 4).map {
            Array(picture.palette[$0..<$0 + 4])
        }
        for x in stride(from: 0, to: picture.width, by: 2) {
            let pixel = Array(picture.source[4 * x..<4 * x + 4])
            let allowed = colours.filter { pixel[3] < 255 || $0[3] == 255 }
            let distances = allowed.map { distance(pixel, $0) }
            #expect(distance(pixel, colours[Int(picture.indices[x])]) == distances.min())
        }
    }

    /// As seen over black and over white, with green twice as far as red and blue.
    private func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        let alpha = Int(one[3]) - Int(other[3])
        let colours = (0..<3).map { band in
            let difference = premultiplied(one, band) - premultiplied(other, band)
            return (band == 1 ? 4 : 2) * (2 * difference - alpha)
        }
        return colours.reduce(25 * alpha * alpha) { $0 + $1 * $1 }
    }

    private func premultiplied(_ pixel: [UInt8], _ band: Int) -> Int {
        (2 * Int(pixel[band]) * Int(pixel[3]) + 255) / 510
    }

    @Test("Photographs are known by their many colours, drawings are not")
    func merged() throws {
        for (bits, isMerged) in [(UInt64(3), false), (7, true)] {
            let quantiser = try #require(thimble_quantiser_new(400))
            defer { thimble_quantiser_free(quantiser) }
            var random = SplitMix64(seed: bits)
            for _ in 0..<200 {
                let row = (0..<1600).map { index in
                    index % 4 == 3 ? 255 : UInt8(random.next() & (1 << bits - 1))
                }
                thimble_quantiser_count(quantiser, row)
            }
            #expect(thimble_quantiser_merged(quantiser) == isMerged)
        }
    }

    @Test("A picture without rows has one transparent colour")
    func noRows() throws {
        let quantiser = try #require(thimble_quantiser_new(9))
        defer { thimble_quantiser_free(quantiser) }
        var palette = [UInt8](repeating: 9, count: 4 * Int(thimble_quantiser_colours))
        #expect(thimble_quantiser_choose(quantiser, 256, &palette) == 1)
        #expect(palette.prefix(4) == [0, 0, 0, 0])
    }
}

extension QuantisedPicture {
    fileprivate func alphas(of pixels: [UInt8]) -> [UInt8] {
        stride(from: 3, to: pixels.count, by: 4).map { pixels[$0] }
    }
}
