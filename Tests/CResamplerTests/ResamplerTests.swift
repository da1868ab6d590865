import CResampler
import Testing

@Suite("Resampler", .timeLimit(.minutes(1)))
struct ResamplerTests {
    private static let axes: [(columns: thimble_axis, rows: thimble_axis)] = [
        (thimble_axis(201, to: 67), thimble_axis(134, to: 45)),
        (thimble_axis(200, to: 199), thimble_axis(100, to: 99)),
        // A chroma plane that ends inside a sample, and one of twice the reduction down.
        (thimble_axis(101, to: 40, step: 100.5 / 40), thimble_axis(67, to: 13, step: 66.5 / 13)),
        (thimble_axis(64, to: 16, origin: 17.25, step: 2), thimble_axis(64, to: 20, origin: 3)),
        (thimble_axis(50, to: 17, origin: -1.5, step: 3), thimble_axis(40, to: 13)),
        (thimble_axis(30, to: 90), thimble_axis(20, to: 50)),
        (thimble_axis(700, to: 5), thimble_axis(1, to: 1)),
        // Boxes, whole and cut at the edge, and along one direction.
        (thimble_axis(240, to: 20, box: 3), thimble_axis(120, to: 10, box: 3)),
        (thimble_axis(241, to: 20, box: 3), thimble_axis(122, to: 10, box: 3)),
        (thimble_axis(151, to: 15, step: 150.5 / 15, box: 2), thimble_axis(90, to: 30)),
        (thimble_axis(40, to: 30), thimble_axis(399, to: 12, origin: 7.5, step: 30, box: 9)),
        (thimble_axis(5, to: 1, box: 8), thimble_axis(9, to: 1, box: 2)),
    ]

    @Test("Every sample is within a level of the definition", arguments: axes.indices)
    func definition(index: Int) throws {
        let (columns, rows) = Self.axes[index]
        let picture = Picture<UInt8>(Int(columns.source), Int(rows.source)) { x, y, _ in
            UInt8(128 + (x * 7 + y * 13) % 97 - 48)
        }
        let reference = picture.reference(columns, rows)
        let resampled = try picture.resampled(columns, rows)
        for y in 0..<resampled.height {
            for x in 0..<resampled.width {
                #expect(abs(Double(resampled[x, y]) - reference[y][x]) < 1, "\(x), \(y)")
            }
        }
    }

    @Test("A sample of 16 bits is within a level of the definition")
    func deep() throws {
        let (columns, rows) = (thimble_axis(150, to: 47), thimble_axis(90, to: 28))
        let picture = Picture<UInt16>(150, 90, bands: 3) { x, y, band in
            UInt16((x * 401 + y * 97 + band * 9000) % 40_000 + 10_000)
        }
        let resampled = try picture.resampled(columns, rows)
        for band in 0..<3 {
            let reference = picture.reference(columns, rows, band: band)
            for y in 0..<28 {
                for x in 0..<47 {
                    #expect(abs(Double(resampled[x, y, band]) - reference[y][x] / 257) < 1)
                }
            }
        }
    }

    @Test("Bands do not mix", arguments: 1...4)
    func bands(count: Int) throws {
        let axes = (thimble_axis(90, to: 31), thimble_axis(60, to: 20))
        let picture = Picture<UInt8>(90, 60, bands: count) { x, y, band in
            UInt8((x * (band + 2) + y * 3) % 256)
        }
        let resampled = try picture.resampled(axes.0, axes.1)
        for band in 0..<count {
            let alone = try Picture<UInt8>(90, 60) { x, y, _ in picture[x, y, band] }
                .resampled(axes.0, axes.1)
            #expect(
                alone.samples
                    == stride(from: band, to: resampled.samples.count, by: count)
                    .map { resampled.samples[$0] })
        }
    }

    @Test("Flat pictures stay flat, up to their edges", arguments: [0, 1, 127, 254, 255])
    func flat(level: Int) throws {
        let bytes = try Picture<UInt8>(97, 61, bands: 3) { _, _, _ in UInt8(level) }
            .resampled(thimble_axis(97, to: 33), thimble_axis(61, to: 20))
        #expect(bytes.samples.allSatisfy { $0 == level })
        let words = try Picture<UInt16>(97, 61, bands: 4) { _, _, band in
            band == 3 ? .max : UInt16(level) * 257
        }.resampled(thimble_axis(97, to: 33), thimble_axis(61, to: 20), hasAlpha: true)
        #expect(words.samples.enumerated().allSatisfy { $1 == ($0 % 4 == 3 ? 255 : level) })
        let opaque = try Picture<UInt8>(97, 61, bands: 4) { _, _, band in
            band == 3 ? 255 : UInt8(level)
        }.resampled(thimble_axis(97, to: 33), thimble_axis(61, to: 20), hasAlpha: true)
        #expect(opaque.samples.enumerated().allSatisfy { $1 == ($0 % 4 == 3 ? 255 : level) })
    }

    @Test("Every grey beside every alpha is the same in each column", arguments: [2, 4])
    func columns(bands: Int) throws {
        // Four columns are converted at once, and the other three one by one; each level is a row.
        for alpha in stride(from: 0, through: 255, by: 3) {
            let picture = Picture<UInt8>(7, 256, bands: bands) { _, y, band in
                UInt8(band == bands - 1 ? alpha : y)
            }
            let kept = try picture.resampled(
                thimble_axis(7, to: 7), thimble_axis(256, to: 256), hasAlpha: true)
            for y in 0..<256 {
                let row = Array(kept.samples[y * 7 * bands..<(y + 1) * 7 * bands])
                #expect(row == Array(repeating: row.prefix(bands), count: 7).flatMap(\.self))
                if alpha > 128 { #expect(abs(Int(row[0]) - y) <= 1 && row[bands - 1] == alpha) }
            }
        }
    }

    @Test("Hidden colours do not bleed into visible ones")
    func alpha() throws {
        // Opaque red beside transparent green.
        let picture = Picture<UInt8>(120, 40, bands: 4) { x, _, band in
            x < 60 ? [255, 0, 0, 255][band] : [0, 255, 0, 0][band]
        }
        let resampled = try picture.resampled(
            thimble_axis(120, to: 41), thimble_axis(40, to: 13), hasAlpha: true)
        var alphas: Set<UInt8> = []
        for y in 0..<13 {
            for x in 0..<41 {
                alphas.insert(resampled[x, y, 3])
                #expect(resampled[x, y, 1] == 0)
                if resampled[x, y, 3] > 8 { #expect(resampled[x, y, 0] >= 250) }
            }
        }
        #expect(alphas.count > 2)
        let reference = picture.reference(
            thimble_axis(120, to: 41), thimble_axis(40, to: 13), band: 3)
        for x in 0..<41 {
            let alpha = min(255, max(0, reference[6][x]))
            #expect(abs(Double(resampled[x, 6, 3]) - alpha) < 1)
        }
    }

    @Test(
        "Beside transparent pixels, opaque ones keep their colour despite the kernel's overshoot",
        arguments: [false, true])
    func colour(isLinear: Bool) throws {
        let axes = (thimble_axis(400, to: 150), thimble_axis(120, to: 45))
        func expectSame(_ pixels: Picture<UInt8>, _ colour: Int) {
            var opaque = 0
            for y in 0..<pixels.height {
                for x in 0..<pixels.width where pixels[x, y, 3] == 255 {
                    opaque += 1
                    #expect((0..<3).allSatisfy { Int(pixels[x, y, $0]) == colour })
                }
            }
            #expect(opaque > 2000)
        }
        for colour in [1, 40, 128, 200, 254] {
            // Squares of 40 pixels, opaque and transparent.
            func sample(_ x: Int, _ y: Int, _ band: Int) -> Int {
                (x / 40 + y / 40) % 2 == 0 ? 0 : band == 3 ? 255 : colour
            }
            let bytes = Picture<UInt8>(400, 120, bands: 4) { UInt8(sample($0, $1, $2)) }
            let words = Picture<UInt16>(400, 120, bands: 4) { UInt16(257 * sample($0, $1, $2)) }
            expectSame(
                try bytes.resampled(axes.0, axes.1, hasAlpha: true, isLinear: isLinear), colour)
            expectSame(
                try words.resampled(axes.0, axes.1, hasAlpha: true, isLinear: isLinear), colour)
        }
    }

    @Test("An edge is neither shifted nor stretched", arguments: [1.0, 1.37, 2.5, 6.1])
    func geometry(step: Double) throws {
        let target = 100
        let source = Int(Double(target) * step)
        // The brightness rises evenly, so that a level is a position.
        let picture = Picture<UInt16>(source, source) { x, _, _ in
            UInt16((Double(x) + 0.5) / Double(source) * 65_535)
        }
        let axis = thimble_axis(source, to: target)
        let resampled = try picture.resampled(axis, axis)
        for x in 5..<95 {
            let position = Double(resampled[x, 50]) / 255 * Double(target) - 0.5
            // A level is 0.4 pixels.
            #expect(abs(position - Double(x)) < 0.25)
        }
    }

    @Test("Memory depends on the width and the reduction, not on the height")
    func memory() {
        let bytes = { (height: Int, target: Int) in
            var description = thimble_resampling(
                columns: thimble_axis(4032, to: 1320), rows: thimble_axis(height, to: target),
                bands: 1, sample_bytes: 1, has_alpha: false, is_linear: false)
            return thimble_resampler_bytes(&description)
        }
        #expect(bytes(3024, 990) == bytes(30240, 9900))
        #expect(bytes(3024, 990) < 200_000)
    }

    @Test("Invalid descriptions are refused")
    func invalid() {
        let axis = thimble_axis(10, to: 5)
        let valid = thimble_resampling(
            columns: axis, rows: axis, bands: 4, sample_bytes: 1, has_alpha: true,
            is_linear: false)
        let faults: [(inout thimble_resampling) -> Void] = [
            { $0.columns.source = 0 }, { $0.rows.source = -1 }, { $0.columns.target = 0 },
            { $0.rows.step = 0 }, { $0.rows.step = 171 }, { $0.columns.step = .nan },
            { $0.columns.origin = -2 }, { $0.columns.origin = 2.5 }, { $0.bands = 0 },
            { $0.bands = 5 }, { $0.bands = 3 }, { $0.sample_bytes = 3 },
            { $0.columns.source = .max }, { $0.columns.box = 0 }, { $0.rows.box = 32_769 },
        ]
        #expect(Self.isAccepted(valid))
        for (number, change) in faults.enumerated() {
            var description = valid
            change(&description)
            #expect(!Self.isAccepted(description), "\(number)")
        }
    }

    private static func isAccepted(_ description: thimble_resampling) -> Bool {
        var description = description
        let resampler = thimble_resampler_new(&description, THIMBLE_VECTORS_BEST)
        defer { thimble_resampler_free(resampler) }
        #expect((thimble_resampler_bytes(&description) > 0) == (resampler != nil))
        return resampler != nil
    }
}
