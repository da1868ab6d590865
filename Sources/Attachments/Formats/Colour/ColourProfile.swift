internal import AttachmentModel
internal import CZlib

/// Limits on colour profiles.
package enum ColourProfile {
    /// Longest profile, in bytes.
    ///
    /// Profiles of printing presses have 2 to 3 MB. Longer ones are ignored.
    package static let ceiling = 4 << 20

    /// The note for a profile that is cut, damaged, too long or of a kind without a conversion.
    package static let unreadable = "the colour profile was ignored: it cannot be read"

    /// The note for a profile that cannot be used for samples in a space; nil for a usable one.
    package static func fault(of profile: [UInt8], for space: ICCColourSpace) -> String? {
        let read = ICCProfile(profile)
        guard let own = read.colourSpace else { return unreadable }
        guard own == space else {
            return
                "the colour profile was ignored: it is for \(own.name), the picture is \(space.name)"
        }
        return read.isReadable ? nil : unreadable
    }

    /// Part of a compressed profile read to find its length, in bytes: the name and one block.
    static let compressedPrefix = 4096

    /// Reads a profile that is stored as it is; nil without one, and for one that is empty, above the
    /// ceiling, or cut by the end of the file.
    static func read(_ range: Range<Int>?, of file: OpenFile) throws(DecodingFault) -> [UInt8]? {
        guard let range, (1...ceiling).contains(range.count) else { return nil }
        var window = FileWindow(file, over: range, capacity: 4096)
        let profile = try window.readBytes(range.count)
        return profile.count == range.count ? profile : nil
    }

    /// True if a compressed PNG profile has a plausible length, decompressing only its first bytes.
    ///
    /// `window` stands at the `count` data bytes of an iCCP chunk. Its position is unspecified afterwards.
    static func isUsable(in window: inout FileWindow, count: Int) throws(DecodingFault) -> Bool {
        guard count <= ceiling else { return false }
        return length(inChunk: try window.readBytes(min(count, compressedPrefix))) != nil
    }

    /// Length of a compressed PNG profile by its own header, in bytes, from the first bytes of an iCCP
    /// chunk; nil for an implausible one.
    static func length(inChunk data: [UInt8]) -> Int? {
        guard let stream = stream(inChunk: data) else { return nil }
        // A profile starts with its length (ICC.1:2022, 7.2.2), which libpng relies on.
        let first = inflated(stream, count: 4)
        let length = first.reduce(0) { $0 << 8 | Int($1) }
        return first.count == 4 && (shortest...ceiling).contains(length) ? length : nil
    }

    /// Decompresses the profile of an iCCP chunk; nil if it is unreadable or shorter than it claims.
    static func profile(inChunk data: [UInt8]) -> [UInt8]? {
        guard let length = length(inChunk: data), let stream = stream(inChunk: data) else {
            return nil
        }
        let profile = inflated(stream, count: length)
        return profile.count == length ? Array(profile) : nil
    }

    /// The zlib stream after name, terminator and method (PNG specification, third edition, 11.3.2.3).
    private static func stream(inChunk data: [UInt8]) -> ArraySlice<UInt8>? {
        guard let end = data.prefix(80).firstIndex(of: 0), data.count > end + 2 else { return nil }
        return data[(end + 2)...]
    }

    /// Header and count of tags (ICC.1:2022, 7.2 and 7.3), in bytes.
    private static let shortest = 132

    /// First bytes of the decompressed stream; fewer for a shorter or damaged one.
    private static func inflated(_ compressed: ArraySlice<UInt8>, count: Int) -> ArraySlice<UInt8> {
        var stream = z_stream()
        guard
            inflateInit_(&stream, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else { return [] }
        defer { inflateEnd(&stream) }
        var first = [UInt8](repeating: 0, count: count)
        let written = compressed.withUnsafeBufferPointer { source in
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
        return first.prefix(written)
    }
}
