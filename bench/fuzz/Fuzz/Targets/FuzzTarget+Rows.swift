import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import CJPEG
import CQuantiser
import CResampler
import CSimilarity
import Foundation

@testable import AttachmentPipeline

extension FuzzTarget {
    /// Code in C of the engine of rows.
    static let rowEngine = [
        FuzzTarget("resampler", seeds: resamplings) {
            resample($0.bytes)
        },
        FuzzTarget("quantiser", seeds: quantisings) {
            quantise($0.bytes)
        },
        FuzzTarget("jpeg-encoder", seeds: encodings) {
            encode($0.bytes)
        },
        FuzzTarget("similarity", seeds: { [Array(0..<200)] }) { compare($0.bytes) },
        FuzzTarget("jpeg-planes") { input in
            // The reader keeps the coefficients of several scans, for which the planner makes room.
            guard case .picture(let header)? = input.withFile({ try? probed($0) }),
                header.storedSize.pixelCount <= 1 << 22
            else { return }
            for (eighths, strictness) in [
                (8, THIMBLE_JPEG_WARNING), (8, THIMBLE_JPEG_LOSS), (4, THIMBLE_JPEG_TOLERANT),
                (2, THIMBLE_JPEG_TOLERANT), (1, THIMBLE_JPEG_TOLERANT),
            ] {
                readPlanes(of: input.bytes, eighths: CInt(eighths), strictness)
            }
        },
        FuzzTarget("ink-rows") { input in
            input.withFile { file in
                for strictness in [DecodeStrictness.warning, .loss, .tolerant] {
                    readInks(of: file, strictness)
                }
            }
        },
    ]

    /// Quantises a small picture, and checks that alphas 0 and 255 stay.
    ///
    /// The first bytes are width, most colours, and 1 to map other pixels than those counted.
    private static func quantise(_ bytes: [UInt8]) {
        guard bytes.count > 8 else { return }
        let (width, most) = (Int(bytes[0]), max(4, Int(bytes[1])))
        guard let quantiser = thimble_quantiser_new(CInt(width)) else {
            precondition(width == 0)
            return
        }
        defer { thimble_quantiser_free(quantiser) }
        // Exact lengths, so that the sanitizer notices any byte beyond.
        let row = { (y: Int) in
            (0..<4 * width).map { bytes[(3 + y * 31 + $0 * (1 + y % 3)) % bytes.count] }
        }
        let isOther = bytes[2] & 1 == 1
        for y in 0..<64 { thimble_quantiser_count(quantiser, row(y)) }
        var palette = [UInt8](repeating: 0, count: 4 * Int(thimble_quantiser_colours))
        let count = Int(thimble_quantiser_choose(quantiser, CInt(most), &palette))
        precondition(count >= 1 && count <= most)
        var indices = [UInt8](repeating: 0, count: width)
        for y in 0..<64 {
            let pixels = row(isOther ? y + 64 : y)
            thimble_quantiser_map(quantiser, pixels, &indices)
            for (x, index) in indices.enumerated() {
                precondition(Int(index) < count)
                let (alpha, shown) = (pixels[4 * x + 3], palette[4 * Int(index) + 3])
                precondition(isOther || alpha > 0 && alpha < 255 || alpha == shown)
            }
        }
    }

    /// Noise, one colour, and a gradient.
    private static func quantisings() -> [[UInt8]] {
        let start: [UInt8] = [40, 255, 0]
        let noise = (0..<600).map { (index: Int) in UInt8((index * index * 97 / 8) % 256) }
        let gradient = (0..<256).map { (index: Int) in UInt8(index) }
        return [start + noise, start + Array(repeating: 200, count: 64), start + gradient]
    }

    /// Converts the rows of a JPEG in inks by its own profile.
    private static func readInks(of file: OpenFile, _ strictness: DecodeStrictness) {
        guard
            let attachment = try? AttachmentFile(descriptor: dup(file.descriptor), path: "input"),
            let rows = try? JPEGPlaneRows(
                ByteStream(attachment), loadShrink: 1 << (file.length & 3), keepsProfile: true,
                strictness),
            rows.layout.hasInks, rows.layout.planes[0].size.pixelCount <= 1 << 16,
            let conversion = rows.profile.flatMap({ ProfileConversion(from: $0, of: rows.layout) })
        else { return }
        let converted = ConvertedRows(rows, by: conversion)
        let size = converted.layout.planes[0].size
        precondition(converted.layout.bands == 3 && size == rows.layout.planes[0].size)
        var (count, sum) = (0, 0)
        let next = {
            try converted.next { _, row in
                let row = UnsafeRawBufferPointer(start: row, count: size.width * 3)
                sum &+= Int(row[0]) &+ Int(row[row.count - 1])
                count += 1
            }
        }
        while (try? next()) == true {}
        precondition(count <= size.height)
    }

    /// Resamples a small picture with every kind of vector instructions, and compares the results.
    private static func resample(_ bytes: [UInt8]) {
        guard bytes.count > 16 else { return }
        let axis = { (start: Int, box: Int) in
            thimble_axis(
                source: CInt(bytes[start]), target: CInt(bytes[start + 1]),
                origin: Double(Int8(bitPattern: bytes[start + 2])) / 8,
                step: Double(bytes[start + 3]) / 16 + Double(bytes[start + 4]),
                box: CInt(bytes[box]))
        }
        var description = thimble_resampling(
            columns: axis(0, 13), rows: axis(5, 14), bands: CInt(bytes[10] & 7),
            sample_bytes: CInt(bytes[11] & 3), has_alpha: bytes[12] & 1 == 1,
            is_linear: bytes[12] & 2 == 2)
        let size = thimble_resampler_bytes(&description)
        let results = [THIMBLE_VECTORS_NONE, THIMBLE_VECTORS_SSE2, THIMBLE_VECTORS_BEST].compactMap
        {
            resampled(bytes, &description, $0)
        }
        precondition(results.isEmpty == (size == 0))
        precondition(results.allSatisfy { $0 == results[0] })
    }

    /// Scores two small pictures with every kind of vector instructions, and compares the scores.
    private static func compare(_ bytes: [UInt8]) {
        guard bytes.count > 3 else { return }
        let (width, height) = (Int(bytes[0]), Int(bytes[1]))
        let scores = [THIMBLE_SIMILARITY_BASELINE, THIMBLE_SIMILARITY_BEST].map { vectors in
            let made = thimble_similarity_new(CInt(width), CInt(height), vectors)
            guard let made else { return -Double.infinity }
            defer { thimble_similarity_free(made) }
            for y in 0..<height {
                // Exact lengths, so that the sanitizer notices any byte beyond.
                let row = (0..<3 * width).map { bytes[(y * 7 + $0) % bytes.count] }
                let other = row.map { $0 &+ bytes[2] }
                thimble_similarity_push(made, row, y & 1 == 0 ? other : row)
            }
            return thimble_similarity_score(made)
        }
        precondition(scores[0] == scores[1] && scores[0] <= 100)
    }

    /// Without averages before the kernel, and with boxes of 2 and 13.
    private static func resamplings() -> [[UInt8]] {
        [1, 2, 13, 40].map { (box: UInt8) in
            var bytes = Array(repeating: UInt8(40), count: 64)
            (bytes[13], bytes[14]) = (box, box)
            return bytes
        }
    }

    private static func resampled(
        _ bytes: [UInt8], _ description: inout thimble_resampling, _ vectors: thimble_vectors
    ) -> [UInt8]? {
        guard let resampler = thimble_resampler_new(&description, vectors) else { return nil }
        defer { thimble_resampler_free(resampler) }
        let bands = Int(description.bands)
        let source = Int(description.columns.source) * bands * Int(description.sample_bytes)
        var target = [UInt8](repeating: 0, count: Int(description.columns.target) * bands)
        var all: [UInt8] = []
        for y in 0..<Int(description.rows.source) {
            // Exact lengths, so that the sanitizer notices any byte beyond.
            let row = (0..<source).map { bytes[(16 + y * 7 + $0) % bytes.count] }
            thimble_resampler_push(resampler, row)
            while thimble_resampler_pull(resampler, &target) { all += target }
        }
        precondition(all.count == target.count * Int(description.rows.target))
        return all
    }

    private final class Input {
        var rest: ArraySlice<UInt8>
        init(_ bytes: [UInt8]) { rest = bytes[...] }
    }

    private static func readPlanes(
        of bytes: [UInt8], eighths: CInt, _ strictness: thimble_jpeg_strictness
    ) {
        let input = Input(bytes)
        let reader = thimble_jpeg_reader_new(
            { context, buffer, count in
                guard let context, let buffer else { return -1 }
                let input = Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
                let taken = input.rest.prefix(count)
                for (index, byte) in taken.enumerated() { buffer[index] = byte }
                input.rest = input.rest.dropFirst(taken.count)
                return taken.count
            }, Unmanaged.passUnretained(input).toOpaque(), strictness)
        defer { thimble_jpeg_reader_free(reader) }
        var planes = Array(repeating: thimble_jpeg_plane(), count: Int(thimble_jpeg_planes))
        var count: CInt = 0
        guard
            thimble_jpeg_reader_start(reader, eighths, true, &planes, &count) == THIMBLE_JPEG_OK,
            planes[0].width * planes[0].height <= 1 << 20
        else { return }
        var length = 0
        free(thimble_jpeg_reader_profile(reader, &length))
        var read = Array(repeating: CInt(0), count: Int(thimble_jpeg_planes))
        var sum = 0
        while true {
            var rows = Array(repeating: thimble_jpeg_rows(), count: Int(thimble_jpeg_planes))
            guard thimble_jpeg_reader_next(reader, &rows) == THIMBLE_JPEG_OK, rows[0].count > 0
            else { break }
            for plane in 0..<Int(count) {
                for row in 0..<Int(rows[plane].count) {
                    guard let first = rows[plane].first else { continue }
                    let start = first + row * rows[plane].stride
                    sum &+= Int(start[0]) &+ Int(start[Int(planes[plane].width) - 1])
                }
                read[plane] += rows[plane].count
                precondition(read[plane] <= planes[plane].height)
            }
        }
    }
}
