internal import AttachmentFormats

/// Scales the changed part of a canvas down to the output size, row by row.
///
/// Works in linear light with premultiplied alpha. Holds as many accumulator rows as output rows
/// share a canvas row. Since a GIF has no partial alpha, output pixels are opaque, or blank where
/// less than half is covered.
final class CanvasScaler {
    private let across: ResamplingKernel
    private let down: ResamplingKernel
    private let tables = LinearLight()
    /// Per output pixel: start of its weights, and first source pixel.
    private var starts: [Int] = [0]
    private var firsts: [Int] = []
    private var weights: [Float] = []
    private var light: [SIMD4<Float>]
    private var reduced: [SIMD4<Float>]
    /// Accumulators of the unfinished output rows, indexed modulo their number.
    private var sums: [SIMD4<Float>]
    private var isCopy: Bool { across.source == across.target && down.source == down.target }

    /// The output must not be larger than the canvas.
    init(from canvas: (width: Int, height: Int), to output: (width: Int, height: Int)) {
        across = ResamplingKernel(from: canvas.width, to: output.width)
        down = ResamplingKernel(from: canvas.height, to: output.height)
        for x in 0..<output.width {
            weights += across.weights(for: x)
            starts.append(weights.count)
            firsts.append(across.pixels(for: x).lowerBound)
        }
        light = Array(repeating: .zero, count: canvas.width)
        reduced = Array(repeating: .zero, count: output.width)
        sums = Array(repeating: .zero, count: output.width * ResamplingKernel.overlap)
    }

    /// Returns the output region that may have changed.
    func reduce(
        _ canvas: AnimationCanvas, changed: ChangedRegion, to output: PixelPlane
    ) throws(DecodingFault) -> PixelRect {
        guard !changed.isEmpty else { return .empty }
        let pixels = try canvas.pixels()
        // Separate rectangles keep the work proportional to the drawn area.
        return changed.rects.reduce(.empty) { reduced, rect in
            reduced.union(reduce(pixels, canvas.width, changed: rect, to: output))
        }
    }

    private func reduce(
        _ pixels: UnsafePointer<UInt32>, _ width: Int, changed: PixelRect, to output: PixelPlane
    ) -> PixelRect {
        let columns = across.targets(of: changed.left..<changed.right)
        let rows = down.targets(of: changed.top..<changed.bottom)
        let rect = PixelRect(
            left: columns.lowerBound, top: rows.lowerBound, right: columns.upperBound,
            bottom: rows.upperBound)
        if isCopy {
            for y in rows { copy(pixels + y * width, to: output.row(y), columns) }
        } else {
            reduce(pixels, rows: rows, columns: columns, to: output)
        }
        output.didChange(rect)
        return rect
    }

    private func copy(
        _ source: UnsafePointer<UInt32>, to target: UnsafeMutablePointer<UInt32>,
        _ columns: Range<Int>
    ) {
        for x in columns {
            let pixel = source[x]
            target[x] = pixel >> 24 < 128 ? 0 : pixel | 0xFF00_0000
        }
    }

    private func reduce(
        _ pixels: UnsafePointer<UInt32>, rows: Range<Int>, columns: Range<Int>,
        to output: PixelPlane
    ) {
        guard let firstColumn = columns.first, let lastColumn = columns.last, !rows.isEmpty
        else { return }
        let read =
            across.pixels(for: firstColumn).lowerBound..<across.pixels(for: lastColumn).upperBound
        // Output rows start and end in order, because their source ranges do.
        var begun = rows.lowerBound
        var ended = rows.lowerBound
        var spans: [(rows: Range<Int>, weights: [Float])] = []
        var y = down.pixels(for: begun).lowerBound
        while ended < rows.upperBound {
            while begun < rows.upperBound, down.pixels(for: begun).lowerBound <= y {
                spans.append((down.pixels(for: begun), down.weights(for: begun)))
                clearSums(of: begun, columns)
                begun += 1
            }
            makeLight(of: pixels + y * across.source, read)
            reduceAcross(columns)
            for (index, span) in spans.enumerated() where span.rows.contains(y) {
                add(span.weights[y - span.rows.lowerBound], toRow: ended + index, columns)
            }
            y += 1
            while let first = spans.first, first.rows.upperBound <= y {
                write(ended, columns, to: output.row(ended))
                spans.removeFirst()
                ended += 1
            }
        }
    }

    private func makeLight(of row: UnsafePointer<UInt32>, _ range: Range<Int>) {
        tables.light.withUnsafeBufferPointer { table in
            light.withUnsafeMutableBufferPointer { light in
                for x in range {
                    let pixel = row[x]
                    let alpha = Float(pixel >> 24) * (1 / 255)
                    light[x] =
                        SIMD4(
                            table[Int(pixel & 255)], table[Int(pixel >> 8 & 255)],
                            table[Int(pixel >> 16 & 255)], 1) * alpha
                }
            }
        }
    }

    private func reduceAcross(_ columns: Range<Int>) {
        weights.withUnsafeBufferPointer { weights in
            light.withUnsafeBufferPointer { light in
                reduced.withUnsafeMutableBufferPointer { reduced in
                    for x in columns {
                        var pixel = firsts[x]
                        var sum = SIMD4<Float>.zero
                        for index in starts[x]..<starts[x + 1] {
                            sum += light[pixel] * weights[index]
                            pixel &+= 1
                        }
                        reduced[x] = sum
                    }
                }
            }
        }
    }

    private func sumsStart(of row: Int) -> Int {
        row % ResamplingKernel.overlap * across.target
    }

    private func clearSums(of row: Int, _ columns: Range<Int>) {
        let start = sumsStart(of: row)
        for x in columns { sums[start + x] = .zero }
    }

    private func add(_ weight: Float, toRow row: Int, _ columns: Range<Int>) {
        let start = sumsStart(of: row)
        reduced.withUnsafeBufferPointer { reduced in
            sums.withUnsafeMutableBufferPointer { sums in
                for x in columns { sums[start &+ x] += reduced[x] * weight }
            }
        }
    }

    private func write(_ row: Int, _ columns: Range<Int>, to target: UnsafeMutablePointer<UInt32>) {
        let start = sumsStart(of: row)
        let steps = Float(LinearLight.steps)
        tables.samples.withUnsafeBufferPointer { samples in
            for x in columns {
                let sum = sums[start + x]
                let alpha = sum.w
                guard alpha >= 0.5 else {
                    target[x] = 0
                    continue
                }
                let scaled = (sum * (steps / alpha)).clamped(
                    lowerBound: .zero, upperBound: SIMD4(repeating: steps))
                let index = SIMD4<Int32>(scaled, rounding: .toNearestOrEven)
                target[x] =
                    0xFF00_0000 | UInt32(samples[Int(index.z)]) << 16
                    | UInt32(samples[Int(index.y)]) << 8 | UInt32(samples[Int(index.x)])
            }
        }
    }
}
