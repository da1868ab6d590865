internal import CZlib

/// Limits on colour profiles.
enum ColourProfile {
    /// Longest profile, in bytes.
    ///
    /// Profiles of printing presses have 2 to 3 MB. Longer ones are ignored.
    static let ceiling = 4 << 20

    /// Part of a compressed profile read to find its length, in bytes: the name and one block.
    private static let compressedPrefix = 4096

    /// True if a compressed PNG profile has a plausible length, decompressing only its first bytes.
    ///
    /// `window` stands at the `count` data bytes of an iCCP chunk: name, terminator, method, zlib
    /// stream (PNG specification, third edition, 11.3.2.3). Its position is unspecified afterwards.
    static func isUsable(in window: inout FileWindow, count: Int) throws(DecodingFault) -> Bool {
        guard count <= ceiling else { return false }
        let data = try window.readBytes(min(count, compressedPrefix))
        guard let end = data.firstIndex(of: 0), data.count > end + 2 else { return false }
        // A profile starts with its length (ICC.1:2022, 7.2.2), which libpng relies on.
        let length = firstBytes(of: data[(end + 2)...]).reduce(0) { $0 << 8 | Int($1) }
        return (shortest...ceiling).contains(length)
    }

    /// Header and count of tags (ICC.1:2022, 7.2 and 7.3), in bytes.
    private static let shortest = 132

    /// First four bytes of the decompressed stream; fewer for an invalid one.
    private static func firstBytes(of compressed: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var stream = z_stream()
        guard
            inflateInit_(&stream, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else { return [] }
        defer { inflateEnd(&stream) }
        var first = [UInt8](repeating: 0, count: 4)
        let count = compressed.withUnsafeBufferPointer { source in
            first.withUnsafeMutableBufferPointer { target in
                // zlib does not write to its input, and both buffers outlive the call.
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                _ = inflate(&stream, Z_SYNC_FLUSH)
                return target.count - Int(stream.avail_out)
            }
        }
        return first.prefix(count)
    }
}
