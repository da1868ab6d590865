import AttachmentContainer
import Foundation

/// A temporary folder of a campaign.
final class Workplace {
    let folder: URL

    init(in parent: URL) throws {
        folder = parent.appending(path: "container-torture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var container: URL { folder.appending(path: "container") }

    /// Creates a container with notifications `all-0` and so on, published two hours ago.
    func fill(count: Int, category: String) throws -> SharedContainer {
        let hasty = try SharedContainer.create(at: container, interposer: UnsyncedInterposer())
        for number in 0..<count {
            try FakePicture(number: number).publish(
                "all-\(number)", category: category, in: hasty)
        }
        for name in ["notifications", "renditions", "results"] { try age(name, by: 7200) }
        return try SharedContainer.open(at: container)
    }

    /// Creates a log file for an actor's standard output.
    func makeLog() throws -> URL {
        let log = folder.appending(path: UUID().uuidString)
        try Data().write(to: log)
        return log
    }

    /// Backdates the files of a folder of the container.
    func age(_ name: String, by seconds: Double) throws {
        let folder = container.appending(path: name)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        for name in names {
            try FileManager.default.setAttributes(
                [
                    .modificationDate: Date(
                        timeIntervalSince1970: (Date().timeIntervalSince1970 - seconds).rounded(
                            .down))
                ],
                ofItemAtPath: folder.appending(path: name).path)
        }
    }
}
