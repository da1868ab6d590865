import CJPEG
import CJPEGEncoder
import Randomness

/// A generated picture and the settings of its encoding.
struct EncodedPicture {
    var settings = thimble_jpeg_settings()
    /// Rows of interleaved samples, or planes one after the other for `YCBCR_420`.
    private var rows: [[UInt8]] = []
    private var planes: [[UInt8]] = []

    var width: Int { Int(settings.width) }
    var height: Int { Int(settings.height) }
    private var hasPlanes: Bool { settings.layout == THIMBLE_JPEG_LAYOUT_YCBCR_420 }

    /// `sample` gets column, row and band.
    init(
        _ width: Int, _ height: Int, _ layout: thimble_jpeg_layout,
        rounding: thimble_jpeg_rounding = THIMBLE_JPEG_ROUNDING_NEAREST, step: UInt8 = 1,
        sample: (Int, Int, Int) -> UInt8
    ) {
        (settings.width, settings.height) = (CInt(width), CInt(height))
        (settings.layout, settings.rounding, settings.rounding_strength) = (layout, rounding, 1)
        withUnsafeMutableBytes(of: &settings.tables) { tables in
            for index in tables.indices { tables[index] = step }
        }
        if hasPlanes {
            let (across, down) = ((width + 15) / 16, (height + 15) / 16)
            planes = (0..<3).map { plane in
                let side = plane == 0 ? 16 : 8
                return (0..<side * down * side * across).map {
                    sample($0 % (side * across), $0 / (side * across), plane)
                }
            }
        } else {
            let bands = layout == THIMBLE_JPEG_LAYOUT_GREY ? 1 : 3
            rows = (0..<height).map { y in
                (0..<width * bands).map { sample($0 / bands, y, $0 % bands) }
            }
        }
    }

    /// The file; nil if the encoder failed.
    func file(_ vectors: thimble_jpeg_vectors = THIMBLE_JPEG_VECTORS_BEST) -> [UInt8]? {
        var settings = settings
        settings.vectors = vectors
        let output = Output()
        let encoder = thimble_jpeg_encoder_new(
            &settings, Output.write, Unmanaged.passUnretained(output).toOpaque())
        defer { thimble_jpeg_encoder_free(encoder) }
        for row in rows where thimble_jpeg_encoder_row(encoder, row) != THIMBLE_JPEG_ENCODED {
            return nil
        }
        if hasPlanes { push(encoder) }
        return thimble_jpeg_encoder_finish(encoder) == THIMBLE_JPEG_ENCODED ? output.bytes : nil
    }

    private func push(_ encoder: OpaquePointer?) {
        let units = (width + 15) / 16
        let strides = [16 * units, 8 * units, 8 * units]
        for row in 0..<(height + 15) / 16 {
            planes[0].withUnsafeBufferPointer { luma in
                planes[1].withUnsafeBufferPointer { blue in
                    planes[2].withUnsafeBufferPointer { red in
                        let starts = [luma, blue, red].enumerated().map { plane, samples in
                            samples.baseAddress.map {
                                $0 + row * (plane == 0 ? 16 : 8) * strides[plane]
                            }
                        }
                        _ = thimble_jpeg_encoder_planes(encoder, starts, strides)
                    }
                }
            }
        }
    }

    private final class Output {
        var bytes: [UInt8] = []

        static let write: thimble_jpeg_write = { context, bytes, count in
            guard let context, let bytes else { return -1 }
            let output = Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
            output.bytes += UnsafeBufferPointer(start: bytes, count: count)
            return count
        }
    }
}

/// The planes of a JPEG by libjpeg.
struct DecodedPlanes {
    var planes: [(width: Int, height: Int, samples: [UInt8])] = []

    /// Decodes a file; nil if libjpeg fails or warns of anything.
    init?(_ bytes: [UInt8]) {
        let input = Input(bytes)
        let reader = thimble_jpeg_reader_new(
            { context, buffer, count in
                guard let context, let buffer else { return -1 }
                let input = Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
                let taken = input.rest.prefix(count)
                for (index, byte) in taken.enumerated() { buffer[index] = byte }
                input.rest = input.rest.dropFirst(taken.count)
                return taken.count
            }, Unmanaged.passUnretained(input).toOpaque(), THIMBLE_JPEG_WARNING)
        defer { thimble_jpeg_reader_free(reader) }
        var sizes = Array(repeating: thimble_jpeg_plane(), count: Int(thimble_jpeg_planes))
        var count: CInt = 0
        guard thimble_jpeg_reader_start(reader, 8, false, &sizes, &count) == THIMBLE_JPEG_OK
        else { return nil }
        planes = sizes.prefix(Int(count)).map { (Int($0.width), Int($0.height), []) }
        while true {
            var rows = Array(repeating: thimble_jpeg_rows(), count: Int(thimble_jpeg_planes))
            guard thimble_jpeg_reader_next(reader, &rows) == THIMBLE_JPEG_OK else { return nil }
            guard rows[0].count > 0 else { return }
            for plane in planes.indices {
                for row in 0..<Int(rows[plane].count) {
                    guard let first = rows[plane].first else { return nil }
                    planes[plane].samples += UnsafeBufferPointer(
                        start: first + row * rows[plane].stride, count: planes[plane].width)
                }
            }
        }
    }

    private final class Input {
        var rest: ArraySlice<UInt8>
        init(_ bytes: [UInt8]) { rest = bytes[...] }
    }
}
