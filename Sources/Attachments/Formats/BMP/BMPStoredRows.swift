internal import AttachmentContainer
internal import AttachmentModel

/// Uncompressed rows of a BMP, read in blocks of rows in either direction.
final class BMPStoredRows {
    private let file: OpenFile
    private let structure: BMPStructure
    private let isTolerant: Bool
    private let rowsPerBlock: Int
    private let buffer: UnsafeMutableRawBufferPointer
    /// Number of the block in the buffer.
    private var block = -1
    /// Bytes of the block that the file has.
    private var held = 0

    /// Bytes read at once, if a row is not longer: one request to a disk for many rows.
    private static let readBytes = 128 << 10

    init(
        _ file: OpenFile, _ structure: BMPStructure, isTolerant: Bool
    ) throws(DecodingFault) {
        if !isTolerant, let required = structure.requiredLength, required > file.length {
            throw DecodingFault(.truncated, at: file.length, "the file ends within the picture")
        }
        self.file = file
        self.structure = structure
        self.isTolerant = isTolerant
        rowsPerBlock = Self.blockBytes(of: structure) / structure.stride
        buffer = .allocate(byteCount: rowsPerBlock * structure.stride, alignment: 16)
    }

    deinit { buffer.deallocate() }

    static func blockBytes(of structure: BMPStructure) -> Int {
        let rows = min(max(1, readBytes / structure.stride), structure.size.height)
        return rows * structure.stride
    }

    /// The row `y` from the top without padding, valid until the next call; nil if it is missing and
    /// that is tolerated.
    func row(_ y: Int) throws(DecodingFault) -> UnsafeRawBufferPointer? {
        let stored = structure.isTopDown ? y : structure.size.height - 1 - y
        try load(stored / rowsPerBlock)
        let start = stored % rowsPerBlock * structure.stride
        guard start + structure.usedBytes <= held else {
            if isTolerant { return nil }
            throw DecodingFault(
                .truncated, at: structure.dataOffset + stored * structure.stride,
                "the file ends within the picture")
        }
        return UnsafeRawBufferPointer(rebasing: buffer[start..<start + structure.usedBytes])
    }

    private func load(_ wanted: Int) throws(DecodingFault) {
        guard wanted != block else { return }
        (block, held) = (-1, 0)
        let start = structure.dataOffset + wanted * buffer.count
        do throws(OpenFile.ReadFailure) {
            let wanted = max(0, min(buffer.count, file.length - start))
            while held < wanted {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[held..<wanted])
                let count = try file.read(into: rest, at: start + held)
                guard count > 0 else { break }
                held += count
            }
        } catch {
            throw DecodingFault(.unreadable, at: start + held, error.reason)
        }
        block = wanted
    }
}
