import AttachmentContainer
import AttachmentPublishing
import Foundation
import ServiceOptions
import ThimbleOptions

/// The user whose rights the other checks tell about.
struct UserCheck: Checking {
    func diagnoses() async -> [Diagnosis] {
        let number = geteuid()
        guard number == 0 else { return [.ok("user", "runs as user \(number)")] }
        return [
            .warning(
                "user", "runs as root, whose rights the service should not have",
                remedy: "run this check as the user of the service")
        ]
    }
}

/// The container's folder: format, permissions and free space.
struct ContainerCheck: Checking {
    let configuration: ServiceConfiguration

    func diagnoses() async -> [Diagnosis] {
        await BlockingWork.run { [self] in [diagnosis()] }
    }

    private func diagnosis() -> Diagnosis {
        let path = configuration.container
        let container: SharedContainer
        do throws(ContainerError) {
            container = try SharedContainer.open(at: URL(fileURLWithPath: path, isDirectory: true))
            // It is removed at once.
            _ = try IncomingFile(in: container)
        } catch  where error.code == .missing {
            return NewFolder(path).diagnosis("container", "the service creates it")
        } catch {
            return .failed("container", "\(path): \(error.reason)", remedy: error.fault.remedy)
        }
        guard let free = NewFolder(path).free else {
            return .ok("container", "\(path) can be written")
        }
        guard free >= configuration.maxQueueBytes else {
            return .warning(
                "container",
                "\(path) has \(free) free, less than max-queue-bytes \(configuration.maxQueueBytes)",
                remedy: "free some space, or lower max-queue-bytes")
        }
        return .ok("container", "\(path) can be written, \(free) free")
    }
}

/// A folder that the service creates if it is missing.
struct NewFolder {
    private let path: String

    init(_ path: String) { self.path = URL(fileURLWithPath: path).standardizedFileURL.path }

    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// Space for unprivileged users; nil if unknown.
    var free: ByteCount? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return ByteCount(Int(status.f_bavail) * Int(status.f_frsize))
    }

    /// Fails unless the folder, or the nearest existing one above it, can be written.
    func diagnosis(_ part: String, _ creation: String) -> Diagnosis {
        var parent = URL(fileURLWithPath: path)
        while !FileManager.default.fileExists(atPath: parent.path), parent.path != "/" {
            parent.deleteLastPathComponent()
        }
        guard access(parent.path, W_OK | X_OK) == 0 else {
            return .failed(
                part,
                "\(path) does not exist, and \(parent.path) cannot be written: "
                    + String(cString: strerror(errno)),
                remedy: "create it, and give it to the user of the service")
        }
        return .ok(part, "\(path) is empty or does not exist; \(creation)")
    }
}
