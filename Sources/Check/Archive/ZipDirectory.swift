import AttachmentContainer

/// The central directory of a ZIP archive (PKWARE, APPNOTE.TXT 6.3.10, section 4.3).
struct ZipDirectory {
    /// The regular files, by name.
    private(set) var members: [String: Member] = [:]
    /// The offset of the directory, which ends the members' data.
    let offset: Int

    struct Member {
        let name: String
        /// 0: stored; 8: deflated.
        let method: Int
        let isEncrypted: Bool
        let checksum: Int
        let compressedSize: Int
        let size: Int
        /// The offset of the local header.
        let offset: Int
    }

    /// Maximum size of the directory, in bytes: about 300 for each file.
    private static let sizeLimit = 64 << 20
    /// Maximum size of a name, in bytes, as of a path on Apple's systems (`PATH_MAX`).
    private static let nameLimit = 1024
    /// Maximum number of folders around a file; no file that a check reads lies so deep.
    private static let depthLimit = 64

    init(of file: ReadOnlyFile) throws(AppError) {
        let path = file.name
        func malformed(_ reason: String) -> AppError {
            AppError(.malformedArchive, file: path, reason)
        }
        let end = try Self.end(of: file)
        offset = end.offset
        guard end.count <= AppFilesLimit.files, end.size <= Self.sizeLimit else {
            throw AppError(
                .tooLarge, file: path, "the archive has more than \(AppFilesLimit.files) files")
        }
        guard end.size <= end.position, end.offset <= end.position - end.size,
            let bytes = try file.read(at: end.offset, count: end.size)
        else { throw malformed("the archive's directory is cut off or misplaced") }
        let reader = ByteReader(bytes)
        var position = 0
        for _ in 0..<end.count {
            guard let entry = Entry(reader, at: position) else {
                throw malformed("the archive's directory is damaged")
            }
            position += entry.length
            // Apps name their files in UTF-8; no other name can be asked for.
            guard let name = String(utf8: entry.name) else { continue }
            try Self.check(name, in: path)
            guard entry.isRegular, !name.hasSuffix("/"),
                name.utf8.count(where: { $0 == UInt8(ascii: "/") }) <= Self.depthLimit
            else { continue }
            let member = Member(
                name: name, method: entry.method, isEncrypted: entry.flags & 0x2041 != 0,
                checksum: entry.checksum, compressedSize: entry.compressedSize, size: entry.size,
                offset: entry.offset)
            guard members.updateValue(member, forKey: name) == nil else {
                throw malformed("the archive contains \(name.quoted) twice")
            }
        }
        guard !hasOverlaps else { throw malformed("members of the archive overlap") }
    }

    /// True if members share bytes, so that an archive could be far larger than its file (Fifield,
    /// "A better zip bomb", 2019).
    private var hasOverlaps: Bool {
        let members = members.values.sorted { $0.offset < $1.offset }
        return zip(members, members.dropFirst()).contains { member, next in
            // A local header has 30 bytes, the name and an extra field.
            let gap = next.offset - member.offset - 30 - member.name.utf8.count
            return gap < member.compressedSize
        }
    }

    /// Rejects names that an unpacker would write outside of its folder.
    private static func check(_ name: String, in path: String) throws(AppError) {
        let isUnsafe =
            name.isEmpty || name.utf8.count > nameLimit || name.isAbsolutePath
            || name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "\\") }
            || name.pathNames.contains(Array("..".utf8))
        guard isUnsafe else { return }
        throw AppError(
            .unsafeName, file: path, "the archive contains the unsafe name \(name.quoted)")
    }
}

extension ZipDirectory {
    /// The end record: position of the record, and offset, size and entries of the directory.
    private struct End {
        var position: Int
        var offset: Int
        var size: Int
        var count: Int
        var disks: [Int]
    }

    private static func end(of file: ReadOnlyFile) throws(AppError) -> End {
        func malformed(_ reason: String) -> AppError {
            AppError(.malformedArchive, file: file.name, reason)
        }
        // The record has 22 bytes, and a comment of up to 65,535 follows.
        let count = min(file.size, 22 + 0xFFFF)
        let start = file.size - count
        guard let tail = try file.read(at: start, count: count),
            let place = place(ofEndIn: tail)
        else { throw malformed("it is not a ZIP archive, or it is cut off") }
        let record = ByteReader(tail[place...])
        guard let disk = record.uint16(at: 4), let first = record.uint16(at: 6),
            let entries = record.uint16(at: 10), let size = record.uint32(at: 12),
            let offset = record.uint32(at: 16)
        else { throw malformed("the archive's end record is cut off") }
        var end = End(
            position: start + place, offset: offset, size: size, count: entries,
            disks: [disk, first])
        if entries == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF {
            end = try wideEnd(of: file, before: end) ?? end
        }
        guard end.disks.allSatisfy({ $0 == 0 }) else {
            throw AppError(.unsupported, file: file.name, "the archive has several parts")
        }
        return end
    }

    /// The last end record whose comment reaches exactly to the end.
    private static func place(ofEndIn tail: [UInt8]) -> Int? {
        let reader = ByteReader(tail)
        return stride(from: tail.count - 22, through: 0, by: -1).first { place in
            tail[place] == 0x50 && reader.uint32(at: place) == 0x0605_4B50
                && reader.uint16(at: place + 20) == tail.count - place - 22
        }
    }

    /// The ZIP64 end record; nil without a locator of one.
    private static func wideEnd(
        of file: ReadOnlyFile, before end: End
    ) throws(AppError) -> End? {
        guard let locator = try file.read(at: end.position - 20, count: 20) else { return nil }
        guard ByteReader(locator).uint32(at: 0) == 0x0706_4B50 else { return nil }
        guard let position = ByteReader(locator).uint64(at: 8),
            let bytes = try file.read(at: position, count: 56)
        else {
            throw AppError(
                .malformedArchive, file: file.name, "the archive's ZIP64 end record is misplaced")
        }
        let record = ByteReader(bytes)
        guard record.uint32(at: 0) == 0x0606_4B50, let disk = record.uint32(at: 16),
            let first = record.uint32(at: 20), let count = record.uint64(at: 32),
            let size = record.uint64(at: 40), let offset = record.uint64(at: 48)
        else {
            throw AppError(
                .malformedArchive, file: file.name, "the archive's ZIP64 end record is damaged")
        }
        return End(
            position: position, offset: offset, size: size, count: count, disks: [disk, first])
    }
}

extension ZipDirectory {
    /// A file header of the directory.
    private struct Entry {
        let flags: Int
        let method: Int
        let checksum: Int
        private(set) var compressedSize: Int
        private(set) var size: Int
        private(set) var offset: Int
        let name: ArraySlice<UInt8>
        let isRegular: Bool
        /// The length of the header, in bytes.
        let length: Int

        init?(_ reader: ByteReader, at position: Int) {
            guard reader.uint32(at: position) == 0x0201_4B50,
                let madeBy = reader.uint16(at: position + 4),
                let flags = reader.uint16(at: position + 8),
                let method = reader.uint16(at: position + 10),
                let checksum = reader.uint32(at: position + 16),
                let compressedSize = reader.uint32(at: position + 20),
                let size = reader.uint32(at: position + 24),
                let nameLength = reader.uint16(at: position + 28),
                let extraLength = reader.uint16(at: position + 30),
                let commentLength = reader.uint16(at: position + 32),
                let attributes = reader.uint32(at: position + 38),
                let offset = reader.uint32(at: position + 42),
                let name = reader.bytes(at: position + 46, count: nameLength),
                let extra = reader.part(at: position + 46 + nameLength, count: extraLength)
            else { return nil }
            length = 46 + nameLength + extraLength + commentLength
            guard position + length <= reader.count else { return nil }
            (self.flags, self.method, self.checksum) = (flags, method, checksum)
            (self.compressedSize, self.size, self.offset) = (compressedSize, size, offset)
            self.name = name
            // The upper half is st_mode if the archive was made on UNIX (3) or Darwin (19).
            let kind = [3, 19].contains(madeBy >> 8) ? attributes >> 16 & 0xF000 : 0
            isRegular = kind == 0 || kind == 0x8000
            guard readWideFields(extra) else { return nil }
        }

        /// Replaces saturated fields by their values in the ZIP64 extra field (section 4.5.3).
        private mutating func readWideFields(_ extra: ByteReader) -> Bool {
            let saturated = 0xFFFF_FFFF
            guard [size, compressedSize, offset].contains(saturated) else { return true }
            var position = 0
            while let tag = extra.uint16(at: position), let count = extra.uint16(at: position + 2) {
                guard tag == 1, let field = extra.part(at: position + 4, count: count) else {
                    position += 4 + count
                    continue
                }
                var next = 0
                func take(_ value: Int) -> Int? {
                    guard value == saturated else { return value }
                    defer { next += 8 }
                    return field.uint64(at: next)
                }
                guard let size = take(size), let compressed = take(compressedSize),
                    let offset = take(offset)
                else { return false }
                (self.size, compressedSize, self.offset) = (size, compressed, offset)
                return true
            }
            return false
        }
    }
}
