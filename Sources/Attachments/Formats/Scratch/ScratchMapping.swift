/// A mapped file in use, returned to its space by `deinit`.
package final class ScratchMapping {
    let file: MappedFile

    private let space: ScratchSpace
    /// Changed bytes since the last write-out.
    private var dirtyBytes = 0
    /// Smallest write-out, in bytes.
    private static let bytesPerWriteOut = 256 << 10

    init(of file: MappedFile, in space: ScratchSpace) {
        self.file = file
        self.space = space
    }

    /// Page-aligned, valid as long as `self`.
    package var bytes: UnsafeMutableRawBufferPointer { file.bytes }

    /// Counts changed bytes, and starts writing them to disk when the space has no room for more.
    ///
    /// Under a hard cap, dirty pages count until they are written. Many pages changed in a short
    /// time may get the process killed (seen with cgroup v1). With enough room nothing is written:
    /// pages of an unlinked file are dropped with it.
    package func startWritingOut(after count: Int) {
        dirtyBytes += count
        guard space.addDirty(count), dirtyBytes >= Self.bytesPerWriteOut else { return }
        file.startWritingOut()
        space.removeDirty(dirtyBytes)
        dirtyBytes = 0
    }

    deinit {
        space.removeDirty(dirtyBytes)
        space.recycle(file)
    }
}
