import ArgumentParser
import Foundation
import ThimbleOptions

extension ScratchContainer {
    /// Folders for temporary files, the preferred one first.
    ///
    /// `/var/tmp` is on a disk, unlike `/tmp` on many systems, where scratch files would take the memory
    /// that they are to save (Filesystem Hierarchy Standard 3.0, 5.15).
    static var places: [String] {
        [ProcessInfo.processInfo.environment["TMPDIR"] ?? "", "/var/tmp"].filter { !$0.isEmpty }
            + [FileManager.default.temporaryDirectory.path]
    }

    /// Exits the command if no folder for temporary files can be written.
    static func ofCommand() throws -> ScratchContainer {
        guard let scratch = ScratchContainer(in: places) else {
            Terminal.complain(
                "error: no folder for temporary files can be written; make /var/tmp writable, or set "
                    + "TMPDIR")
            throw ExitCode.unusable
        }
        return scratch
    }
}
