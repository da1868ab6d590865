internal import CZlib

/// Writes a ZIP archive, also a malformed one.
package struct SampleZip: Sendable {
    package var members: [Member] = []
    /// True with ZIP64 records and fields, whatever the sizes.
    package var isWide = false
    /// The number of disks minus one in the end record.
    package var disk = 0
    package var comment = ""
    /// The number of members in the end record; nil for the right one.
    package var declaredCount: Int?

    package struct Member: Sendable {
        package var name: String
        package var contents: [UInt8]
        /// 0: stored; 8: deflated.
        package var method = 8
        package var flags = 0
        /// The name in the local header; nil for the same.
        package var localName: String?
        /// The size in the directory; nil for the right one.
        package var declaredSize: Int?
        package var checksum: Int?
        /// The offset of the local header in the directory; nil for the right one.
        package var declaredOffset: Int?
        /// Data in place of the compressed contents.
        package var data: [UInt8]?
        /// The upper half of the external attributes.
        package var mode = 0o100644

        package init(_ name: String, _ contents: [UInt8]) {
            self.name = name
            self.contents = contents
        }

        /// Replaces the contents by compressed data, which copies of the member share.
        package mutating func compress() {
            data = SampleZip.deflate(contents)
            (declaredSize, checksum) = (contents.count, SampleZip.checksum(of: contents))
            contents = []
        }
    }

    package init() {}

    package mutating func add(_ name: String, _ contents: [UInt8]) {
        members.append(Member(name, contents))
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var directory: [UInt8] = []
        for member in members {
            let part = part(of: member)
            directory += directoryHeader(
                member, part.count - localHeader(member, 0).count,
                at: member.declaredOffset ?? bytes.count)
            bytes += part
        }
        let offset = bytes.count
        bytes += directory
        if isWide { bytes += wideEnd(offset: offset, size: directory.count, at: bytes.count) }
        bytes.append32(0x0605_4B50)
        let count = isWide ? 0xFFFF : declaredCount ?? members.count
        bytes.append16(disk, disk, count, count)
        bytes.append32(isWide ? 0xFFFF_FFFF : directory.count, isWide ? 0xFFFF_FFFF : offset)
        bytes.append16(comment.utf8.count)
        return bytes + Array(comment.utf8)
    }

    /// The local header and the data of a member.
    package func part(of member: Member) -> [UInt8] {
        let contents = member.contents
        let data = member.data ?? (member.method == 8 ? Self.deflate(contents) : contents)
        return localHeader(member, data.count) + data
    }

    private func localHeader(_ member: Member, _ size: Int) -> [UInt8] {
        let name = member.localName ?? member.name
        var bytes: [UInt8] = []
        bytes.append32(0x0403_4B50)
        bytes.append16(20, member.flags, member.method, 0, 0)
        bytes.append32(checksum(of: member), size, member.contents.count)
        bytes.append16(name.utf8.count, 0)
        return bytes + Array(name.utf8)
    }

    private func directoryHeader(_ member: Member, _ size: Int, at offset: Int) -> [UInt8] {
        let contents = member.declaredSize ?? member.contents.count
        var bytes: [UInt8] = []
        bytes.append32(0x0201_4B50)
        bytes.append16(3 << 8 | 30, 20, member.flags, member.method, 0, 0)
        bytes.append32(checksum(of: member))
        for value in [size, contents] { bytes.append32(isWide ? 0xFFFF_FFFF : value) }
        bytes.append16(member.name.utf8.count, isWide ? 28 : 0, 0, 0, 0)
        bytes.append32(member.mode << 16, isWide ? 0xFFFF_FFFF : offset)
        bytes += Array(member.name.utf8)
        guard isWide else { return bytes }
        bytes.append16(1, 24)
        for value in [contents, size, offset] { bytes.append(value, count: 8) }
        return bytes
    }

    private func wideEnd(offset: Int, size: Int, at position: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append32(0x0606_4B50)
        bytes.append(44, count: 8)
        bytes.append16(45, 45)
        bytes.append32(0, 0)
        let count = declaredCount ?? members.count
        for value in [count, count, size, offset] { bytes.append(value, count: 8) }
        bytes.append32(0x0706_4B50, 0)
        bytes.append(position, count: 8)
        bytes.append32(1)
        return bytes
    }

    private func checksum(of member: Member) -> Int {
        member.checksum ?? Self.checksum(of: member.contents)
    }

    private static func checksum(of contents: [UInt8]) -> Int {
        Int(crc32(0, contents, uInt(contents.count)))
    }

    /// A raw DEFLATE stream.
    private static func deflate(_ contents: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else { return [] }
        defer { deflateEnd(&stream) }
        var input = contents
        var output = [UInt8](
            repeating: 0, count: Int(deflateBound(&stream, uLong(contents.count))) + 16)
        let count = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                _ = CZlib.deflate(&stream, Z_FINISH)
                return target.count - Int(stream.avail_out)
            }
        }
        return Array(output[..<count])
    }
}
