import AttachmentContainer
import Foundation

/// Disk space for frames during decoding: unlinked files in a folder, up to a ceiling.
///
/// Pages of such files do not count toward the footprint, because the system can write them out.
/// The folder must therefore be on a disk, not in memory.
///
/// Files up to the size of a rendition are cached: creating one takes a fifth of the time of decoding
/// a grid's tile, and its page faults 7 % of the time that a batch spends on a JPEG.
package final class ScratchSpace: Sendable {
    /// Largest cached file, in bytes: a rendition with alpha that fills the screen of a phone,
    /// 1320 × 2868 pixels.
    private static let largestCached = 16 << 20
    /// Largest cached file without as much room for dirty pages: zeroing a file for its next use changes
    /// all of it at once, before any is written out.
    private static let largestWithoutRoom = 4 << 20
    /// Number of cached files: a row of tiles of the widest pictures.
    private static let maximumCached = 64

    private let source: ScratchSource
    package var folder: String { source.folder }
    /// Limit on all files together, in bytes, including cached ones.
    package let ceiling: Int

    /// Nil if this program's heap cannot place blocks.
    package let placement: HeapPlacement?

    /// Called before memory of a file is unmapped, when most of it is resident.
    private let willUnmap: @Sendable () -> Void

    private struct Usage {
        var bytes = 0
        /// The longest unused first.
        var cached: [MappedFile] = []

        var cachedBytes: Int { cached.reduce(0) { $0 + $1.count } }
    }

    private let usage = Lock(Usage())

    private struct DirtyPages {
        var bytes = 0
        var room = 0
    }

    private let dirtyPages = Lock(DirtyPages())

    /// Uses files in a folder on a disk; nothing is created yet.
    package convenience init(folder: String, ceiling: Int, placement: HeapPlacement? = nil) {
        self.init(from: .folder(folder), ceiling: ceiling, placement: placement)
    }

    package init(
        from source: ScratchSource, ceiling: Int, placement: HeapPlacement?,
        willUnmap: @escaping @Sendable () -> Void = {}
    ) {
        self.willUnmap = willUnmap
        self.source = source
        self.ceiling = ceiling
        self.placement = placement
    }

    deinit {
        for file in usage.withLock({ $0.cached }) { file.unmap() }
    }

    /// Lets files have this many changed bytes that are not on disk yet, all together; 0 at first.
    ///
    /// Cached files may have as many.
    package func setRoomForDirtyPages(_ bytes: Int) {
        let room = max(0, bytes)
        dirtyPages.withLock { $0.room = room }
        usage.withLock { usage in
            // A file that cannot be kept displaces no other.
            for file in usage.cached where file.count > room { unmap(file, of: &usage) }
            usage.cached.removeAll { $0.count > room }
            unmapCached(of: &usage) { $0.cachedBytes > room }
        }
    }

    /// True if there is no room for the bytes.
    func addDirty(_ count: Int) -> Bool {
        dirtyPages.withLock { pages in
            pages.bytes += count
            return pages.bytes > pages.room
        }
    }

    /// Unmaps cached files, whose pages another file displaces: they would be read to be zeroed.
    ///
    /// Without any room, none were kept from the picture before; those of this one are in use again soon.
    func unmapDisplaced() {
        guard dirtyPages.withLock({ $0.room > 0 }) else { return }
        usage.withLock { unmapCached(of: &$0) { _ in true } }
    }

    func removeDirty(_ count: Int) {
        dirtyPages.withLock { $0.bytes -= count }
    }

    package var liveBytes: Int { usage.withLock { $0.bytes - $0.cachedBytes } }

    /// Returns a zeroed mapping of at least `count` bytes, rounded up to whole pages, with its disk
    /// space reserved.
    package func makeMapping(bytes count: Int) throws(DecodingFault) -> ScratchMapping {
        let length = try Self.wholePages(count)
        if let file = takeCached(length) {
            file.bytes.initializeMemory(as: UInt8.self, repeating: 0)
            file.adviseRandomReads()
            return ScratchMapping(of: file, in: self)
        }
        return ScratchMapping(of: try makeFile(length), in: self)
    }

    /// Makes a place for `count` bytes of large heap blocks, beyond which they stay on the heap;
    /// nil if blocks cannot be placed.
    ///
    /// In a confined heap, a large block beyond it ends the process instead, because the decoder states
    /// no limit and takes no refusal.
    package func makeHeap(
        bytes count: Int, isConfined: Bool = false
    ) throws(DecodingFault) -> ScratchHeap? {
        guard let placement else { return nil }
        let length = try Self.wholePages(count)
        guard let range = placement.take(length) else {
            throw DecodingFault(.scratch, at: 0, "no address range is left for \(length) bytes")
        }
        do {
            let file = try makeFile(length, at: range)
            if isConfined { placement.confine(range) }
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
            throw DecodingFault(.limit, at: 0, "its frames are too large for any file")
        }
        return padded / page * page
    }

    private func makeFile(
        _ length: Int, at address: UnsafeMutableRawPointer? = nil
    ) throws(DecodingFault) -> MappedFile {
        guard reserve(length) else { throw overLimit }
        do {
            return try MappedFile(length, from: source, at: address)
        } catch {
            usage.withLock { $0.bytes -= length }
            throw error
        }
    }

    /// Opens an empty file that is not mapped; the caller closes it.
    func openFile() throws(DecodingFault) -> CInt {
        let file = try source.open()
        do throws(DecodingFault) {
            try MappedFile.refuseMemory(file, in: folder)
        } catch {
            close(file)
            throw error
        }
        return file
    }

    func reserveFile(_ length: Int) throws(DecodingFault) {
        guard reserve(length) else { throw overLimit }
    }

    func releaseFile(_ length: Int) { usage.withLock { $0.bytes -= length } }

    private var overLimit: DecodingFault {
        DecodingFault(.scratchLimit, at: 0, "they may take \(ByteCount(ceiling))")
    }

    func giveBack(_ range: UnsafeMutableRawPointer, of file: MappedFile) {
        willUnmap()
        file.closeKeepingMapping()
        // Blocks that a library never frees keep their memory.
        if placement?.giveBack(range) == true { usage.withLock { $0.bytes -= file.count } }
    }

    private func takeCached(_ length: Int) -> MappedFile? {
        usage.withLock { usage in
            usage.cached.lastIndex { $0.count == length }.map { usage.cached.remove(at: $0) }
        }
    }

    private func reserve(_ length: Int) -> Bool {
        usage.withLock { usage in
            unmapCached(of: &usage) { length > ceiling - $0.bytes }
            guard length <= ceiling - usage.bytes else { return false }
            usage.bytes += length
            return true
        }
    }

    private func unmapCached(of usage: inout Usage, while isNeeded: (Usage) -> Bool) {
        while isNeeded(usage), !usage.cached.isEmpty {
            unmap(usage.cached.removeFirst(), of: &usage)
        }
    }

    private func unmap(_ file: MappedFile, of usage: inout Usage) {
        usage.bytes -= file.count
        willUnmap()
        file.unmap()
    }

    func recycle(_ file: MappedFile) {
        let room = dirtyPages.withLock { $0.room }
        let largest = min(Self.largestCached, max(Self.largestWithoutRoom, room))
        usage.withLock { usage in
            if file.count <= largest, usage.cached.count < Self.maximumCached {
                usage.cached.append(file)
            } else {
                unmap(file, of: &usage)
            }
        }
    }
}
