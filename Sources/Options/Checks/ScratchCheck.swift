public import AttachmentContainer
import CSystemCalls
import Foundation

/// The folder of scratch files: on a disk, writable, with room.
public struct ScratchCheck: Checking {
    private let folder: String
    private let maximum: ByteCount

    /// Checks the folder for a worker's scratch files of `maximum` bytes.
    public init(_ folder: String, maximum: ByteCount) {
        (self.folder, self.maximum) = (folder, maximum)
    }

    /// The results of the trial.
    public func diagnoses() async -> [Diagnosis] {
        await BlockingWork.run { [self] in [diagnosis()] }
    }

    private func diagnosis() -> Diagnosis {
        guard maximum.bytes > 0 else { return .ok("scratch", "turned off") }
        let file: OwnedDescriptor
        do throws(ContainerError) {
            file = try OwnedDescriptor(unnamedFileIn: folder)
        } catch {
            return .failed(
                "scratch", "\(folder): \(error.reason)",
                remedy: "name a folder on a disk that can be written with --scratch")
        }
        guard !thimble_is_in_memory(file.descriptor) else {
            return .warning(
                "scratch",
                "\(folder) is in memory, so large pictures that need scratch files are refused or reduced",
                remedy: "name a folder on a disk with --scratch")
        }
        var status = statvfs()
        guard fstatvfs(file.descriptor, &status) == 0 else {
            return .ok("scratch", "\(folder) is on a disk")
        }
        let free = ByteCount(Int(status.f_bavail) * Int(status.f_frsize))
        guard free >= maximum else {
            return .warning(
                "scratch", "\(folder) has \(free) free, less than max-scratch \(maximum)",
                remedy: "free some space, or lower --max-scratch")
        }
        return .ok("scratch", "\(folder) is on a disk, \(free) free")
    }
}
