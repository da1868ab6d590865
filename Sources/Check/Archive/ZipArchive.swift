internal import CZlib

/// A ZIP archive of which single members are read.
///
/// It unpacks nothing to disk and supports stored and deflated members.
struct ZipArchive {
    private let file: ReadOnlyFile
    private let directory: ZipDirectory

    init(path: String) throws(AppError) {
        file = try ReadOnlyFile(path: path)
        directory = try ZipDirectory(of: file)
    }

    var path: String { file.name }

    /// The names of the regular files.
    var names: some Sequence<String> { directory.members.keys }

    /// Reads a member; nil if it is missing.
    func contents(
        of name: String, ceiling: Int, _ budget: inout ReadBudget
    ) throws(AppError) -> [UInt8]? {
        guard let member = directory.members[name] else { return nil }
        let place = "\(path)/\(name)"
        guard member.size <= ceiling else {
            throw AppError(.tooLarge, file: place, "it is longer than \(ceiling) bytes")
        }
        guard !member.isEncrypted else {
            throw AppError(.unsupported, file: place, "it is encrypted")
        }
        let start = try dataStart(of: member, at: place)
        try budget.spend(member.size, on: place)
        let bytes: [UInt8]
        switch member.method {
        case 0:
            guard member.compressedSize == member.size,
                let stored = try file.read(at: start, count: member.size)
            else { throw AppError(.malformedArchive, file: place, "its size is wrong") }
            bytes = stored
        case 8:
            bytes = try inflate(member, from: start, at: place)
        default:
            throw AppError(
                .unsupported, file: place, "it is compressed by method \(member.method)")
        }
        guard Self.checksum(of: bytes) == member.checksum else {
            throw AppError(.malformedArchive, file: place, "its checksum is wrong")
        }
        return bytes
    }

    /// The offset of a member's data, after its local header (section 4.3.7).
    private func dataStart(
        of member: ZipDirectory.Member, at place: String
    ) throws(AppError) -> Int {
        let expected = Array(member.name.utf8)
        guard let bytes = try file.read(at: member.offset, count: 30 + expected.count) else {
            throw AppError(.malformedArchive, file: place, "its local header is misplaced")
        }
        let header = ByteReader(bytes)
        guard header.uint32(at: 0) == 0x0403_4B50, header.uint16(at: 8) == member.method,
            header.uint16(at: 26) == expected.count, let extra = header.uint16(at: 28),
            header.bytes(at: 30, count: expected.count)?.elementsEqual(expected) == true
        else {
            throw AppError(
                .malformedArchive, file: place, "its local header contradicts the directory")
        }
        let start = member.offset + bytes.count + extra
        guard start <= directory.offset, member.compressedSize <= directory.offset - start else {
            throw AppError(.malformedArchive, file: place, "its data are cut off")
        }
        return start
    }

    private func inflate(
        _ member: ZipDirectory.Member, from start: Int, at place: String
    ) throws(AppError) -> [UInt8] {
        // DEFLATE encodes at most 258 bytes in 2 bits (RFC 1951, section 3.2.5).
        guard member.size / 1032 <= member.compressedSize else {
            throw AppError(.malformedArchive, file: place, "its compressed data are cut off")
        }
        guard let inflater = RawInflater(limit: member.size) else {
            throw AppError(.unreadable, file: place, "zlib has no memory for it")
        }
        var position = 0
        while !inflater.isComplete, position < member.compressedSize {
            let count = min(RawInflater.pieceSize, member.compressedSize - position)
            guard let piece = try file.read(at: start + position, count: count),
                inflater.append(piece)
            else {
                throw AppError(.malformedArchive, file: place, "its compressed data are damaged")
            }
            position += count
        }
        guard inflater.isComplete, inflater.output.count == member.size else {
            throw AppError(.malformedArchive, file: place, "its compressed data are cut off")
        }
        return inflater.output
    }

    private static func checksum(of bytes: [UInt8]) -> Int {
        var sum: uLong = 0
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(1 << 20)
            sum = piece.withUnsafeBufferPointer { crc32(sum, $0.baseAddress, uInt($0.count)) }
            rest = rest.dropFirst(piece.count)
        }
        return Int(sum)
    }
}
