internal import CZlib

/// Inflates a DEFLATE stream without a zlib header, up to a limit.
final class RawInflater {
    /// The size of pieces of input and output, in bytes.
    static let pieceSize = 64 << 10

    private(set) var output: [UInt8] = []
    private(set) var isComplete = false
    private let limit: Int
    // Owned by this object. It never moves, because zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates an inflater; nil if zlib cannot allocate its state.
    init?(limit: Int) {
        self.limit = limit
        // Growth would copy, with half again as much memory; untouched pages are not resident.
        output.reserveCapacity(limit)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Negative window bits: no header (zlib.h, inflateInit2).
        let code = inflateInit2_(
            stream, -MAX_WBITS, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        // The object is complete, so its deinitialiser runs.
        guard code == Z_OK else { return nil }
    }

    deinit {
        // Without a state, as after a failed initialisation, it only returns an error.
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Inflates more input; returns false if it is malformed or exceeds the limit.
    func append(_ input: [UInt8]) -> Bool {
        var input = input
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        return input.withUnsafeMutableBufferPointer { source in
            stream.pointee.next_in = source.baseAddress
            stream.pointee.avail_in = uInt(source.count)
            repeat {
                let (code, count) = piece.withUnsafeMutableBufferPointer { target in
                    stream.pointee.next_out = target.baseAddress
                    stream.pointee.avail_out = uInt(target.count)
                    let code = CZlib.inflate(stream, Z_NO_FLUSH)
                    return (code, target.count - Int(stream.pointee.avail_out))
                }
                // Z_BUF_ERROR: no progress without more input, which is not a fault.
                guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR,
                    count <= limit - output.count
                else { return false }
                output += piece[..<count]
                isComplete = code == Z_STREAM_END
            } while !isComplete && stream.pointee.avail_out == 0
            return isComplete || stream.pointee.avail_in == 0
        }
    }
}
