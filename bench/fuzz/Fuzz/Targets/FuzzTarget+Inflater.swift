import CInflate
import CZlib

extension FuzzTarget {
    /// The inflater, beside zlib: the same bytes, and the same end.
    static let inflater = [
        FuzzTarget("inflater", seeds: { streams }) { input in
            guard let first = input.bytes.first else { return }
            // The first byte is the length of the pieces, and decides on the checksum.
            let (stream, isChecked) = (Array(input.bytes.dropFirst()), first & 1 == 0)
            let expected = zlib(stream, isChecked)
            let found = inflated(stream, isChecked, piece: 1 + Int(first))
            precondition(found == expected)
        }
    ]

    /// Limit on the output.
    private static let mostBytes = 1 << 18

    /// A stored block, fixed codes, and codes of a block's own.
    private static let streams: [[UInt8]] = [
        [7, 0x78, 0x01, 1, 3, 0, 0xFC, 0xFF, 1, 2, 3, 0, 13, 0, 7],
        [8, 0x78, 0x9C, 0x4B, 0x4C, 0x4C, 0x4C, 0x4C, 0x04, 0x00],
        [
            9, 0x78, 0xDA, 0x05, 0xC1, 0x81, 0, 0, 0, 0, 0x80, 0x20, 0xD6, 0xFE, 0xA5, 0x5A, 0x05,
        ],
    ]

    /// Output with zlib, and the code of its end.
    private static func zlib(_ stream: [UInt8], _ isChecked: Bool) -> [UInt8] {
        var (state, input) = (z_stream(), stream)
        inflateInit2_(&state, 15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        defer { inflateEnd(&state) }
        inflateValidate(&state, isChecked ? 1 : 0)
        var output = [UInt8](repeating: 0, count: mostBytes)
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (state.next_in, state.avail_in) = (input.baseAddress, uInt(input.count))
                (state.next_out, state.avail_out) = (output.baseAddress, uInt(output.count))
                return inflate(&state, Z_SYNC_FLUSH)
            }
        }
        let end: UInt8 =
            switch status {
            case _ where state.avail_out == 0: 0
            case Z_STREAM_END: 1
            case Z_NEED_DICT, Z_DATA_ERROR: 2
            default: 3
            }
        return output.prefix(Int(state.total_out)) + [end]
    }

    /// Output and the code of its end, from pieces of exact length.
    private static func inflated(
        _ stream: [UInt8], _ isChecked: Bool, piece: Int
    ) -> [UInt8] {
        let inflater = thimble_inflater_new(isChecked, .max)
        defer { thimble_inflater_free(inflater) }
        var (rest, all) = (stream[...], [UInt8]())
        while thimble_inflater_status(inflater) == THIMBLE_INFLATE_OK, all.count < mostBytes {
            let bytes = Array(rest.prefix(piece))
            let used = thimble_inflate(inflater, bytes, bytes.count)
            rest = rest.dropFirst(used)
            var output = [UInt8](repeating: 0, count: min(4096, mostBytes - all.count))
            let taken = thimble_inflater_take(inflater, &output, output.count)
            all += output.prefix(taken)
            // The end may need room alone, if its bytes have been read before.
            if used == 0, taken == 0, rest.isEmpty,
                thimble_inflater_status(inflater) == THIMBLE_INFLATE_OK
            {
                return all + [3]
            }
        }
        if all.count == mostBytes { return all + [0] }
        return all + [thimble_inflater_status(inflater) == THIMBLE_INFLATE_END ? 1 : 2]
    }
}
