import CJPEG
import CJPEGEncoder

extension FuzzTarget {
    /// Encodes a small picture with every kind of vector instructions, compares the files, and reads
    /// one with libjpeg, which must not warn.
    static func encode(_ bytes: [UInt8]) {
        guard bytes.count > 8 else { return }
        var settings = thimble_jpeg_settings()
        (settings.width, settings.height) = (CInt(bytes[0] % 80) + 1, CInt(bytes[1] % 80) + 1)
        settings.layout = thimble_jpeg_layout(rawValue: UInt32(bytes[2] % 4))
        settings.rounding = thimble_jpeg_rounding(rawValue: UInt32(bytes[3] % 3))
        settings.rounding_strength = Float(bytes[4]) / 255
        withUnsafeMutableBytes(of: &settings.tables) { tables in
            for index in tables.indices {
                tables[index] = max(1, bytes[5] & 1 == 0 ? bytes[6] : bytes[index % bytes.count])
            }
        }
        let files = [THIMBLE_JPEG_VECTORS_BEST, THIMBLE_JPEG_VECTORS_PLAIN].map { vectors in
            settings.vectors = vectors
            return encoded(bytes, &settings)
        }
        precondition(files[0] == files[1])
        let isRead = hasRows(files[0], CInt(settings.width), CInt(settings.height))
        precondition(isRead)
    }

    /// A picture of each layout.
    static func encodings() -> [[UInt8]] {
        (0..<4).map { (layout: UInt8) in [40, 40, layout, layout % 3, 255, 0, 9] + Array(0...99) }
    }

    private static func encoded(_ bytes: [UInt8], _ settings: inout thimble_jpeg_settings)
        -> [UInt8]
    {
        let output = Bytes()
        let encoder = thimble_jpeg_encoder_new(
            &settings,
            { context, bytes, count in
                guard let context, let bytes else { return -1 }
                let output = Unmanaged<Bytes>.fromOpaque(context).takeUnretainedValue()
                output.all += UnsafeBufferPointer(start: bytes, count: count)
                return count
            }, Unmanaged.passUnretained(output).toOpaque())
        defer { thimble_jpeg_encoder_free(encoder) }
        let (width, height) = (Int(settings.width), Int(settings.height))
        // Exact lengths, so that the sanitizer notices any byte beyond.
        let samples = { (count: Int, seed: Int) in
            (0..<count).map { bytes[(7 + seed * 7 + $0) % bytes.count] }
        }
        if settings.layout == THIMBLE_JPEG_LAYOUT_YCBCR_420 {
            let units = (width + 15) / 16
            for row in 0..<(height + 15) / 16 {
                let luma = samples(256 * units, row)
                let (blue, red) = (samples(64 * units, row + 1), samples(64 * units, row + 2))
                luma.withUnsafeBufferPointer { luma in
                    blue.withUnsafeBufferPointer { blue in
                        red.withUnsafeBufferPointer { red in
                            _ = thimble_jpeg_encoder_planes(
                                encoder, [luma.baseAddress, blue.baseAddress, red.baseAddress],
                                [16 * units, 8 * units, 8 * units])
                        }
                    }
                }
            }
        } else {
            let bands = settings.layout == THIMBLE_JPEG_LAYOUT_GREY ? 1 : 3
            for row in 0..<height {
                _ = thimble_jpeg_encoder_row(encoder, samples(width * bands, row))
            }
        }
        precondition(thimble_jpeg_encoder_finish(encoder) == THIMBLE_JPEG_ENCODED)
        return output.all
    }

    /// True if libjpeg reads all rows without a warning.
    private static func hasRows(_ file: [UInt8], _ width: CInt, _ height: CInt) -> Bool {
        let input = Bytes()
        input.all = file
        let reader = thimble_jpeg_reader_new(
            { context, buffer, count in
                guard let context, let buffer else { return -1 }
                let input = Unmanaged<Bytes>.fromOpaque(context).takeUnretainedValue()
                let taken = input.all.dropFirst(input.next).prefix(count)
                for (index, byte) in taken.enumerated() { buffer[index] = byte }
                input.next += taken.count
                return taken.count
            }, Unmanaged.passUnretained(input).toOpaque(), THIMBLE_JPEG_WARNING)
        defer { thimble_jpeg_reader_free(reader) }
        var planes = Array(repeating: thimble_jpeg_plane(), count: Int(thimble_jpeg_planes))
        var (count, read): (CInt, CInt) = (0, 0)
        guard
            thimble_jpeg_reader_start(reader, 8, false, &planes, &count) == THIMBLE_JPEG_OK,
            planes[0].width == width, planes[0].height == height
        else { return false }
        while true {
            var rows = Array(repeating: thimble_jpeg_rows(), count: Int(thimble_jpeg_planes))
            guard thimble_jpeg_reader_next(reader, &rows) == THIMBLE_JPEG_OK else { return false }
            guard rows[0].count > 0 else { return read == height }
            read += rows[0].count
        }
    }

    private final class Bytes {
        var all: [UInt8] = []
        var next = 0
    }
}
