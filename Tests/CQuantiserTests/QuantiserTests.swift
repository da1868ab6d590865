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
