import Foundation
import Synchronization

/// Where frames lie while they are decoded: files without names in a folder, up to a ceiling.
///
/// A page of such a file is not part of a process's footprint, since the system may write it out
/// and take it back. The folder must be on a disk: in a file system in memory it would be.
package final class ScratchSpace: Sendable {
    /// The folder in which the files are made.
    package let folder: String
    /// What all files may take at the same time, in bytes.
    package let ceiling: Int

    /// What the files take now, in bytes.
    private let live = Mutex(0)

    /// Names a folder; nothing is made in it yet.
    ///
    /// - Parameters:
    ///   - folder: A folder that can be written to, on a disk.
    ///   - ceiling: What all files may take at the same time, in bytes.
    package init(folder: String, ceiling: Int) {
        self.folder = folder
        self.ceiling = ceiling
    }

    /// Makes a file, with all of its room taken on the disk, and maps it.
    ///
    /// - Parameter bytes: Its length, at least 1; it is rounded up to whole pages.
    /// - Returns: Memory that reads as zeros.
    /// - Throws: `DecodingFault` with code `overCeiling`, or `scratch` when the folder cannot be
    ///   written to, is in memory or has no room.
    package func makeMapping(bytes: Int) throws(DecodingFault) -> ScratchMapping {
        let page = Int(getpagesize())
        let (padded, overflow) = max(bytes, 1).addingReportingOverflow(page - 1)
        let length = padded / page * page
        let isTaken =
            !overflow
            && live.withLock { live in
                guard length <= ceiling - live else { return false }
                live += length
                return true
            }
        guard isTaken else {
            throw DecodingFault(
                .overCeiling, at: 0,
                "its frames need more than the \(ceiling) bytes of scratch room")
        }
        do {
            let file = try UnlinkedFile.make(in: folder, bytes: length)
            return try ScratchMapping(of: file, bytes: length, in: self)
        } catch {
            giveBack(length)
            throw error
        }
    }

    /// Takes back the room of a file that is gone.
    ///
    /// - Parameter bytes: What it took.
    func giveBack(_ bytes: Int) {
        live.withLock { $0 -= bytes }
    }

    /// What the files take now, in bytes.
    package var liveBytes: Int { live.withLock { $0 } }
}
