/// A Mach-O file: one program, or several for different processors in a fat file.
///
/// The structures follow Apple's `mach-o/loader.h` and `mach-o/fat.h`.
struct MachOFile {
    /// The programs, in the file's order; at least one.
    let slices: [MachOSlice]

    /// Maximum number of processors; Apple's tools write at most 5.
    private static let sliceLimit = 16

    /// Parses headers and load commands.
    ///
    /// - Throws: `AppError` naming the file if it is not Mach-O, is cut off or is damaged.
    init(_ bytes: [UInt8], path: String) throws(AppError) {
        let reader = ByteReader(bytes, isBigEndian: true)
        switch reader.uint32(at: 0) {
        case 0xCAFE_BABE: slices = try Self.slices(of: reader, isWide: false, path)
        case 0xCAFE_BABF: slices = try Self.slices(of: reader, isWide: true, path)
        default: slices = [try MachOSlice(ByteReader(bytes), path: path)]
        }
    }

    private static func slices(
        of reader: ByteReader, isWide: Bool, _ path: String
    ) throws(AppError) -> [MachOSlice] {
        guard let count = reader.uint32(at: 4), 1...sliceLimit ~= count else {
            throw AppError(
                .malformedProgram, file: path,
                "the fat program has no processors or more than \(sliceLimit)")
        }
        let length = isWide ? 32 : 20
        let table = 8 + count * length
        var slices: [MachOSlice] = []
        var ranges: [Range<Int>] = []
        for index in 0..<count {
            let place = 8 + index * length
            let offset = isWide ? reader.uint64(at: place + 8) : reader.uint32(at: place + 8)
            let size = isWide ? reader.uint64(at: place + 16) : reader.uint32(at: place + 12)
            guard let offset, let size, offset >= table,
                let bytes = reader.bytes(at: offset, count: size)
            else {
                throw AppError(
                    .malformedProgram, file: path, "a processor's part of the program is cut off")
            }
            let range = offset..<offset + size
            // Otherwise the same bytes would be read sixteen times.
            guard !ranges.contains(where: range.overlaps) else {
                throw AppError(
                    .malformedProgram, file: path, "the processors' parts of the program overlap")
            }
            ranges.append(range)
            slices.append(try MachOSlice(ByteReader(bytes), path: path))
        }
        return slices
    }
}
