import Foundation
import Synchronization

/// Where frames lie while they are decoded: files without names in a folder, up to a ceiling.
///
/// A page of such a file is not part of a process's footprint, since the system may write it out
/// and take it back. The folder must be on a disk: in a file system in memory it would be.
///
/// Small files, of the tiles of a grid, are kept for the next tile of the same size until the space
/// goes, since making one takes as long as a fifth of decoding a tile.
package final class ScratchSpace: Sendable {
    /// The largest file that is kept, in bytes: two tiles of 512 × 512 pixels.
    private static let largestKept = 1 << 20
    /// How many files are kept: a row of tiles of the widest pictures.
    private static let mostKept = 64

    /// Where the files come from.
    private let source: ScratchSource
    /// The folder in which the files are made.
    package var folder: String { source.folder }
    /// What all files may take at the same time, in bytes, with those that are kept.
    package let ceiling: Int

    /// Where large blocks of the heap can be placed; nil where they cannot.
    package let placement: HeapPlacement?

    private struct Room {
        /// What all files take, in bytes.
        var taken = 0
        /// Files that nothing uses.
        var kept: [MappedFile] = []
    }

    private let room = Mutex(Room())

    /// Names a folder; nothing is made in it yet.
    ///
    /// - Parameters:
    ///   - folder: A folder that can be written to, on a disk.
    ///   - ceiling: What all files may take at the same time, in bytes.
    ///   - placement: How large blocks of the heap are placed in such files. The default is nil:
    ///     this program's heap cannot do so.
    package convenience init(folder: String, ceiling: Int, placement: HeapPlacement? = nil) {
        self.init(from: .folder(folder), ceiling: ceiling, placement: placement)
    }

    /// Names a source of files; nothing is asked of it yet.
    ///
    /// - Parameters:
    ///   - source: Where files come from.
    ///   - ceiling: What all files may take at the same time, in bytes.
    ///   - placement: How large blocks of the heap are placed in such files; nil where they cannot be.
    package init(from source: ScratchSource, ceiling: Int, placement: HeapPlacement?) {
        self.source = source
        self.ceiling = ceiling
        self.placement = placement
    }

    deinit {
        for file in room.withLock({ $0.kept }) { file.unmap() }
    }

    /// What the files take now, in bytes, without those that are kept.
    package var liveBytes: Int {
        room.withLock { room in room.kept.reduce(room.taken) { $0 - $1.count } }
    }

    /// Gives a mapped file, with all of its room taken on the disk.
    ///
    /// - Parameter count: Its length in bytes, at least 1; it is rounded up to whole pages.
    /// - Returns: Memory that reads as zeros.
    /// - Throws: `DecodingFault` with code `overCeiling`, or `scratch` when the folder cannot be
    ///   written to, is in memory or has no room.
    package func makeMapping(bytes count: Int) throws(DecodingFault) -> ScratchMapping {
        let length = try Self.wholePages(count)
        if let file = takeKept(length) {
            file.bytes.initializeMemory(as: UInt8.self, repeating: 0)
            file.expectRandomReads()
            return ScratchMapping(of: file, in: self)
        }
        return ScratchMapping(of: try makeFile(length), in: self)
    }

    /// Gives large blocks of the heap a place.
    ///
    /// - Parameter count: How much all of them take, in bytes; what does not fit stays on the heap.
    /// - Returns: The place; nil where blocks cannot be placed.
    /// - Throws: `DecodingFault` with code `overCeiling`, or `scratch`.
    package func makeHeap(bytes count: Int) throws(DecodingFault) -> ScratchHeap? {
        guard let placement else { return nil }
        let length = try Self.wholePages(count)
        guard let range = placement.take(length) else {
            throw DecodingFault(.scratch, at: 0, "no addresses are left for \(length) bytes")
        }
        do {
            let file = try makeFile(length, at: range)
            return ScratchHeap(file, range, placement, in: self)
        } catch {
            _ = placement.giveBack(range)
            throw error
        }
    }

    private static func wholePages(_ count: Int) throws(DecodingFault) -> Int {
        let page = Int(getpagesize())
        let (padded, overflow) = max(count, 1).addingReportingOverflow(page - 1)
        guard !overflow else {
            throw DecodingFault(.overCeiling, at: 0, "its frames are too large for any file")
        }
        return padded / page * page
    }

    private func makeFile(
        _ length: Int, at address: UnsafeMutableRawPointer? = nil
    ) throws(DecodingFault) -> MappedFile {
        guard takeRoom(length) else {
            throw DecodingFault(
                .overCeiling, at: 0,
                "its frames need more than the \(ceiling) bytes of scratch room")
        }
        do {
            let file = try UnlinkedFile.make(from: source, bytes: length)
            return try MappedFile(file, bytes: length, at: address)
        } catch {
            room.withLock { $0.taken -= length }
            throw error
        }
    }

    /// Counts room as free, whose file is gone.
    ///
    /// - Parameter length: In bytes.
    func giveBack(room length: Int) { room.withLock { $0.taken -= length } }

    private func takeKept(_ length: Int) -> MappedFile? {
        room.withLock { room in
            room.kept.lastIndex { $0.count == length }.map { room.kept.remove(at: $0) }
        }
    }

    /// Counts room, for which files that are kept make way.
    private func takeRoom(_ length: Int) -> Bool {
        room.withLock { room in
            while length > ceiling - room.taken, let file = room.kept.popLast() {
                room.taken -= file.count
                file.unmap()
            }
            guard length <= ceiling - room.taken else { return false }
            room.taken += length
            return true
        }
    }

    /// Takes back a file that nothing uses any more.
    ///
    /// - Parameter file: The file; its bytes may not be touched after this.
    func giveBack(_ file: MappedFile) {
        room.withLock { room in
            if file.count <= Self.largestKept, room.kept.count < Self.mostKept {
                room.kept.append(file)
            } else {
                room.taken -= file.count
                file.unmap()
            }
        }
    }
}
