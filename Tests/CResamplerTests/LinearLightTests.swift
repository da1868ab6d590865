import CResampler
import Foundation
import Testing

@Suite("Resampler in linear light", .timeLimit(.minutes(1)))
struct LinearLightTests {
    private static let axes = (thimble_axis(150, to: 47), thimble_axis(90, to: 28))

    @Test("A board of black and white has the light of half, not the samples")
    func board() throws {
        let axes = (thimble_axis(120, to: 30), thimble_axis(80, to: 20))
        let samples = { (isLinear: Bool) in
            try Picture<UInt8>(120, 80) { x, y, _ in (x + y) % 2 == 0 ? 0 : 255 }
                .resampled(axes.0, axes.1, isLinear: isLinear)
        }
        let (light, coded) = (try samples(true), try samples(false))
        // Away from the edges, where the kernel is cut.
        for y in 4..<16 {
            for x in 4..<26 {
                #expect((187...189).contains(light[x, y]))
                #expect((127...129).contains(coded[x, y]))
            }
        }
        #expect(light[15, 10] == 188)
    }

    @Test("Boxes average light too")
    func boxes() throws {
        let axis = thimble_axis(240, to: 20, box: 4)
        let small = try Picture<UInt8>(240, 240) { x, y, _ in (x + y) % 2 == 0 ? 0 : 255 }
            .resampled(axis, axis, isLinear: true)
        #expect(small.samples.allSatisfy { $0 == 188 })
    }

    @Test("Every level of flat pictures stays, with every number of bands and bytes")
    func flat() throws {
        let axes = (thimble_axis(20, to: 7), thimble_axis(20, to: 7))
        for level in 0...255 {
            for bands in 1...4 {
                let bytes = try Picture<UInt8>(20, 20, bands: bands) { _, _, _ in UInt8(level) }
                    .resampled(axes.0, axes.1, isLinear: true)
                #expect(bytes.samples.allSatisfy { $0 == level }, "\(level)")
                let words = try Picture<UInt16>(20, 20, bands: bands) { _, _, _ in
                    UInt16(level) * 257
                }.resampled(axes.0, axes.1, isLinear: true)
                #expect(words.samples.allSatisfy { $0 == level }, "\(level)")
            }
            let opaque = try Picture<UInt8>(20, 20, bands: 4) { _, _, band in
                band == 3 ? 255 : UInt8(level)
            }.resampled(axes.0, axes.1, hasAlpha: true, isLinear: true)
            #expect(opaque.samples.enumerated().allSatisfy { $1 == ($0 % 4 == 3 ? 255 : level) })
        }
    }

    @Test("A byte is within a level of the mean of light", arguments: [1, 3])
    func bytes(bands: Int) throws {
        let picture = Picture<UInt8>(150, 90, bands: bands) { x, y, band in
            UInt8((x * 41 + y * 97 + band * 90) % 256)
        }
        let light = Picture<UInt16>(150, 90, bands: bands) { x, y, band in
            UInt16((65_535 * Self.light(Double(picture[x, y, band]) / 255)).rounded())
        }
        let resampled = try picture.resampled(Self.axes.0, Self.axes.1, isLinear: true)
        try Self.compare(resampled, light, bands)
    }

    @Test("A sample of 16 bits is within a level of the mean of light")
    func deep() throws {
        let picture = Picture<UInt16>(150, 90, bands: 3) { x, y, band in
            UInt16((x * 4001 + y * 977 + band * 9000) % 65_536)
        }
        let light = Picture<UInt16>(150, 90, bands: 3) { x, y, band in
            UInt16((65_535 * Self.light(Double(picture[x, y, band]) / 65_535)).rounded())
        }
        let resampled = try picture.resampled(Self.axes.0, Self.axes.1, isLinear: true)
        try Self.compare(resampled, light, 3)
    }

    private static func compare(
        _ resampled: Picture<UInt8>, _ light: Picture<UInt16>, _ bands: Int
    ) throws {
        var count = 0
        for band in 0..<bands {
            let reference = light.reference(axes.0, axes.1, band: band)
            for y in 0..<28 {
                for x in 0..<47 {
                    let mean = min(1, max(0, reference[y][x] / 65_535))
                    count += 1
                    #expect(abs(Double(resampled[x, y, band]) - 255 * code(mean)) < 1.1)
                }
            }
        }
        #expect(count == 47 * 28 * bands)
    }

    @Test("Hidden colours do not bleed, and alpha is as with coded samples", arguments: [2, 4])
    func alpha(bands: Int) throws {
        // Opaque and light beside transparent and different.
        let picture = Picture<UInt8>(120, 40, bands: bands) { x, _, band in
            band == bands - 1
                ? (x < 60 ? 255 : 0) : x < 60 ? [230, 0, 40][band] : [0, 255, 250][band]
        }
        let axes = (thimble_axis(120, to: 41), thimble_axis(40, to: 13))
        let light = try picture.resampled(axes.0, axes.1, hasAlpha: true, isLinear: true)
        let coded = try picture.resampled(axes.0, axes.1, hasAlpha: true)
        var alphas: Set<UInt8> = []
        for y in 0..<13 {
            for x in 0..<41 {
                let alpha = light[x, y, bands - 1]
                alphas.insert(alpha)
                #expect(abs(Int(alpha) - Int(coded[x, y, bands - 1])) <= 1)
                guard alpha > 8 else { continue }
                for band in 0..<bands - 1 {
                    #expect(abs(Int(light[x, y, band]) - [230, 0, 40][band]) <= 1)
                }
            }
        }
        #expect(alphas.count > 2)
    }

    @Test("Half of white over transparent black keeps the light of both")
    func partial() throws {
        let picture = Picture<UInt8>(40, 40, bands: 4) { x, _, band in
            band == 3 ? 128 : x % 2 == 0 ? 0 : 255
        }
        let axis = thimble_axis(40, to: 10)
        let small = try picture.resampled(axis, axis, hasAlpha: true, isLinear: true)
        #expect((187...189).contains(small[5, 5, 0]) && small[5, 5, 3] == 128)
    }

    @Test("Neutral YCbCr keeps its levels, and colours are within a level of BT.601")
    func conversion() {
        var triples: [(y: UInt8, cb: UInt8, cr: UInt8)] = (0..<256).map { (UInt8($0), 128, 128) }
        for number in 0..<4096 {
            triples.append((UInt8(number * 7 % 256), UInt8(number * 13 % 256), UInt8(number / 16)))
        }
        let (luma, blue, red) = (triples.map(\.y), triples.map(\.cb), triples.map(\.cr))
        let empty = [UInt8](repeating: 0, count: triples.count)
        var (reds, greens, blues) = (empty, empty, empty)
        reds.withUnsafeMutableBufferPointer { r in
            greens.withUnsafeMutableBufferPointer { g in
                blues.withUnsafeMutableBufferPointer { b in
                    var rgb = [r.baseAddress, g.baseAddress, b.baseAddress]
                    thimble_ycc_to_rgb(
                        luma, blue, red, &rgb, CInt(triples.count), THIMBLE_VECTORS_BEST)
                }
            }
        }
        let planes = [reds, greens, blues]
        for (index, (y, cb, cr)) in triples.enumerated() {
            let (luma, blue, red) = (Double(y), Double(cb) - 128, Double(cr) - 128)
            let expected = [
                luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red, luma + 1.772 * blue,
            ]
            for plane in 0..<3 {
                let value = min(255, max(0, expected[plane]))
                #expect(abs(Double(planes[plane][index]) - value) < 1, "\(y) \(cb) \(cr)")
                if index < 256 { #expect(planes[plane][index] == y) }
            }
        }
    }

    @Test("Doubled chroma is the triangle filter of its neighbours", arguments: [1, 2, 9, 40])
    func chroma(count: Int) {
        let near = (0..<count).map { UInt8($0 * 37 % 256) }
        let far = (0..<count).map { UInt8(255 - $0 * 11 % 256) }
        for width in [2 * count, 2 * count - 1] {
            var doubled = [UInt8](repeating: 0, count: width)
            thimble_double_chroma(
                near, far, CInt(count), &doubled, CInt(width), THIMBLE_VECTORS_BEST)
            for x in 0..<width {
                let other = min(count - 1, max(0, x / 2 + (x % 2 == 0 ? -1 : 1)))
                let mean = { (x: Int) in 0.75 * Double(near[x]) + 0.25 * Double(far[x]) }
                let expected = 0.75 * mean(x / 2) + 0.25 * mean(other)
                #expect(abs(Double(doubled[x]) - expected) <= 0.5)
            }
        }
    }

    /// The transfer function of sRGB (IEC 61966-2-1, 5.2).
    private static func light(_ code: Double) -> Double {
        code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }

    private static func code(_ light: Double) -> Double {
        light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
