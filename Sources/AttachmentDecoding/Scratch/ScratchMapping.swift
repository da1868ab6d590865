/// A mapped file in use, which goes back to its space with the last reference.
package final class ScratchMapping {
    /// The file.
    let file: MappedFile

    private let space: ScratchSpace
    /// How much was changed since the system was last told to write, in bytes.
    private var changed = 0
    /// After how many changed bytes it is told again: a fortieth of the smallest cap.
    private static let writingUnit = 256 << 10

    /// Takes a file into use.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - space: What gets it back.
    init(of file: MappedFile, in space: ScratchSpace) {
        self.file = file
        self.space = space
    }

    /// The bytes, from the start of a page, which stay until `self` goes.
    package var bytes: UnsafeMutableRawBufferPointer { file.bytes }

    /// Counts what was changed, and has the system begin to write it to the disk now and then.
    ///
    /// Under a hard cap the pages of the file are taken from those that the cap leaves. What is
    /// written out can be taken back at once; what is not may cost the process its life when much of
    /// it was changed in a short time (seen with control groups v1).
    ///
    /// - Parameter count: How many bytes were changed since the last call.
    package func startWritingOut(after count: Int) {
        changed += count
        guard changed >= Self.writingUnit else { return }
        changed = 0
        file.startWritingOut()
    }

    deinit { space.giveBack(file) }
}
