import CResampler
import Testing

@Suite("Boxes of the resampler", .timeLimit(.minutes(1)))
struct BoxTests {
    /// A reduction of 8.1 and one of 9, by boxes of 2, which leave a column and no row over.
    private static let columns = thimble_axis(243, to: 30, box: 2)
    private static let rows = thimble_axis(180, to: 20, box: 2)

    @Test("A sample of 16 bits is within a level of the definition")
    func deep() throws {
        let picture = Picture<UInt16>(243, 180, bands: 3) { x, y, band in
            UInt16((x * 401 + y * 97 + band * 9000) % 40_000 + 10_000)
        }
        let resampled = try picture.resampled(Self.columns, Self.rows)
        for band in 0..<3 {
            let reference = picture.reference(Self.columns, Self.rows, band: band)
            for y in 0..<20 {
                for x in 0..<30 {
                    #expect(abs(Double(resampled[x, y, band]) - reference[y][x] / 257) < 1)
                }
            }
        }
    }

    @Test("Bands do not mix", arguments: 1...4)
    func bands(count: Int) throws {
        let picture = Picture<UInt8>(243, 180, bands: count) { x, y, band in
            UInt8((x * (band + 2) + y * 3) % 256)
        }
        let resampled = try picture.resampled(Self.columns, Self.rows)
        for band in 0..<count {
            let alone = try Picture<UInt8>(243, 180) { x, y, _ in picture[x, y, band] }
                .resampled(Self.columns, Self.rows)
            #expect(
                alone.samples
                    == stride(from: band, to: resampled.samples.count, by: count)
                    .map { resampled.samples[$0] })
        }
    }

    @Test("Flat pictures stay flat, up to their edges", arguments: [0, 1, 127, 254, 255])
    func flat(level: Int) throws {
        for bands in 1...4 {
            for hasAlpha in [false, true] where !hasAlpha || bands % 2 == 0 {
                let isAlpha = { hasAlpha && $0 == bands - 1 }
                let bytes = try Picture<UInt8>(243, 181, bands: bands) { _, _, band in
                    isAlpha(band) ? 255 : UInt8(level)
                }.resampled(Self.columns, thimble_axis(181, to: 9, box: 5), hasAlpha: hasAlpha)
                let words = try Picture<UInt16>(243, 181, bands: bands) { _, _, band in
                    isAlpha(band) ? .max : UInt16(level) * 257
                }.resampled(Self.columns, thimble_axis(181, to: 9, box: 5), hasAlpha: hasAlpha)
                for samples in [bytes.samples, words.samples] {
                    #expect(
                        samples.enumerated().allSatisfy {
                            $1 == (isAlpha($0 % bands) ? 255 : level)
                        })
                }
            }
        }
    }

    @Test("Hidden colours do not bleed into visible ones", arguments: [119, 120, 121])
    func alpha(edge: Int) throws {
        // Opaque red beside transparent green, with the edge inside a box and between two.
        let picture = Picture<UInt8>(243, 180, bands: 4) { x, _, band in
            x < edge ? [255, 0, 0, 255][band] : [0, 255, 0, 0][band]
        }
        let resampled = try picture.resampled(Self.columns, Self.rows, hasAlpha: true)
        let reference = picture.reference(Self.columns, Self.rows, band: 3)
        var alphas: Set<UInt8> = []
        for x in 0..<30 {
            let alpha = resampled[x, 10, 3]
            alphas.insert(alpha)
            #expect(resampled[x, 10, 1] == 0)
            if alpha > 8 { #expect(resampled[x, 10, 0] >= 250) }
            #expect(abs(Double(alpha) - min(255, max(0, reference[10][x]))) < 1)
        }
        #expect(alphas.count > 2)
    }

    @Test(
        "Nothing is displaced against the kernel alone, up to the edges",
        arguments: [(240, 20, 3), (241, 20, 3), (242, 20, 3), (247, 20, 4), (1499, 12, 37)])
    func geometry(source: Int, target: Int, box: Int) throws {
        // The brightness rises evenly, so that it is a position.
        let picture = Picture<UInt16>(source, source) { x, y, _ in
            UInt16(Double(x + y + 1) / Double(2 * source) * 65_535)
        }
        let axes = [1, box].map { thimble_axis(source, to: target, box: $0) }
        let direct = picture.reference(axes[0], axes[0])
        let boxed = picture.reference(axes[1], axes[1])
        let resampled = try picture.resampled(axes[1], axes[1])
        // Rise from a pixel to the next one.
        let pixel = 65_535 / Double(2 * target)
        for y in 0..<target {
            for x in 0..<target {
                #expect(abs(boxed[y][x] - direct[y][x]) < 0.01 * pixel)
                #expect(abs(Double(resampled[x, y]) - boxed[y][x] / 257) < 1)
            }
        }
    }

    @Test("A smooth picture agrees with the kernel alone to 45 dB")
    func agreement() throws {
        let picture = Picture<UInt8>(1001, 667) { x, y, _ in
            UInt8(128 + 60 * wave(Double(x) / 60) + 60 * wave(Double(y) / 45))
        }
        let boxed = try picture.resampled(
            thimble_axis(1001, to: 90, box: 3), thimble_axis(667, to: 60, box: 3))
        let direct = try picture.resampled(thimble_axis(1001, to: 90), thimble_axis(667, to: 60))
        let squares = zip(boxed.samples, direct.samples).reduce(0) {
            $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1))
        }
        // 10 lg (255² / mean) ≥ 45.
        #expect(Double(squares) / Double(boxed.samples.count) < 255 * 255 / 31_623)
    }

    /// A triangular wave between -1 and 1 of period 4.
    private func wave(_ x: Double) -> Double {
        abs(x.truncatingRemainder(dividingBy: 4) - 2) - 1
    }

    @Test("The sum of the largest box does not overflow")
    func largest() throws {
        let side = 32_768
        var description = thimble_resampling(
            columns: thimble_axis(side, to: 1, box: side),
            rows: thimble_axis(side, to: 1, box: side), bands: 1, sample_bytes: 2,
            has_alpha: false,
            is_linear: false)
        let resampler = try #require(thimble_resampler_new(&description, THIMBLE_VECTORS_BEST))
        defer { thimble_resampler_free(resampler) }
        let row = [UInt16](repeating: .max, count: side)
        var result: UInt8 = 0
        for y in 0..<side {
            thimble_resampler_push(resampler, row)
            #expect(thimble_resampler_pull(resampler, &result) == (y == side - 1))
        }
        #expect(result == 255)
    }

    @Test("A restart inside a box discards its rows")
    func restart() throws {
        var description = thimble_resampling(
            columns: Self.columns, rows: Self.rows, bands: 1, sample_bytes: 1, has_alpha: false,
            is_linear: false)
        let resampler = try #require(thimble_resampler_new(&description, THIMBLE_VECTORS_BEST))
        defer { thimble_resampler_free(resampler) }
        thimble_resampler_push(resampler, [UInt8](repeating: 255, count: 243))
        thimble_resampler_restart(resampler)
        var result = [UInt8](repeating: 0, count: 30)
        var pulled = 0
        for _ in 0..<180 {
            thimble_resampler_push(resampler, [UInt8](repeating: 9, count: 243))
            while thimble_resampler_pull(resampler, &result) {
                #expect(result.allSatisfy { $0 == 9 })
                pulled += 1
            }
        }
        #expect(pulled == 20)
    }

    @Test("Memory depends on the target, not on the reduction")
    func memory() {
        let bytes = { (reduction: Int) in
            let axis = thimble_axis(1320 * reduction, to: 1320, box: reduction / 4)
            var description = thimble_resampling(
                columns: axis, rows: axis, bands: 3, sample_bytes: 1, has_alpha: false,
                is_linear: false)
            return thimble_resampler_bytes(&description)
        }
        #expect(bytes(8) == bytes(800))
        #expect(bytes(8) < 1_200_000)
    }
}
