/// A mapped file in use, returned to its space by `deinit`.
package final class ScratchMapping {
    let file: MappedFile

    private let space: ScratchSpace
    private var dirtyBytes = 0
    /// Bytes between write-outs: a fortieth of the smallest cap.
    private static let bytesPerWriteOut = 256 << 10

    init(of file: MappedFile, in space: ScratchSpace) {
        self.file = file
        self.space = space
    }

    /// Page-aligned, valid as long as `self`.
    package var bytes: UnsafeMutableRawBufferPointer { file.bytes }

    /// Counts changed bytes, and regularly starts writing them to disk.
    ///
    /// Under a hard cap, dirty pages count until they are written. Many pages changed in a short
    /// time may get the process killed (seen with cgroup v1).
    package func startWritingOut(after count: Int) {
        dirtyBytes += count
        guard dirtyBytes >= Self.bytesPerWriteOut else { return }
        dirtyBytes = 0
        file.startWritingOut()
    }

    deinit { space.recycle(file) }
}
