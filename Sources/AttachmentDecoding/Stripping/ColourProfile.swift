internal import CZlib

/// How large a colour profile may be that is read, or that a library is handed.
enum ColourProfile {
    /// The longest profile, in bytes: that of a printing press has 2 to 3 MB.
    static let ceiling = 4 << 20

    /// How much of a packed profile is read to tell its length, in bytes: its name and a block.
    private static let packedStart = 4096

    /// Checks the profile of a PNG, which is packed, without unpacking more than its length.
    ///
    /// - Parameters:
    ///   - window: Stands at the data of an iCCP chunk: name, terminator, method, zlib stream (PNG
    ///     specification, third edition, 11.3.2.3); somewhere behind afterwards.
    ///   - count: The length of the data, in bytes.
    /// - Throws: `overCeiling`, `unreadable`.
    static func checkPacked(
        in window: inout FileWindow, count: Int
    ) throws(DecodingFault) {
        let offset = window.offset
        guard count <= ceiling else { throw tooLong(count, at: offset) }
        var data: [UInt8] = []
        while data.count < min(count, packedStart), let byte = try window.readByte() {
            data.append(byte)
        }
        guard let end = data.firstIndex(of: 0), data.count > end + 2 else { return }
        // A profile begins with its own length (ICC.1:2022, 7.2.2), which libpng goes by.
        let length = firstBytes(of: data[(end + 2)...]).reduce(0) { $0 << 8 | Int($1) }
        guard length <= ceiling else { throw tooLong(length, at: offset) }
    }

    /// The fault of a profile that is too long.
    ///
    /// - Parameters:
    ///   - length: Its length, in bytes.
    ///   - offset: Where it stands in the file, in bytes.
    /// - Returns: The fault.
    static func tooLong(_ length: Int, at offset: Int) -> DecodingFault {
        DecodingFault(.overCeiling, at: offset, "a colour profile of \(length) bytes")
    }

    /// The first four bytes that a zlib stream holds; fewer when it is none.
    private static func firstBytes(of packed: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var stream = z_stream()
        guard
            inflateInit_(&stream, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else { return [] }
        defer { inflateEnd(&stream) }
        var first = [UInt8](repeating: 0, count: 4)
        let count = packed.withUnsafeBufferPointer { source in
            first.withUnsafeMutableBufferPointer { target in
                // zlib only reads what goes in, and both buffers outlive the call.
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
