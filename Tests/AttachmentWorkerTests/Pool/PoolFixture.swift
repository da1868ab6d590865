import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import Foundation
import Logging
import ProcessSandbox
import Testing

@testable import AttachmentWorker

/// A folder with a container, pictures and a pool.
struct PoolFixture {
    let folder: URL
    let container: SharedContainer

    /// Makes the folder, hands it over and removes it.
    @discardableResult
    static func with<Value>(_ body: (PoolFixture) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try SharedContainer.create(at: folder.appending(path: "container"))
        return try await body(PoolFixture(folder: folder, container: container))
    }

    /// Hands over a pool and closes it; checks that nothing of it stays.
    @discardableResult
    func withPool<Value>(
        cap: MemoryCap = MemoryCap(.mebibytes(64)), workers: Int = 1,
        by enforcement: Enforcement = .auto, timeout: Duration = .seconds(60),
        planningFor planningCap: MemoryCap? = nil,
        decoder: ProcessingSettings.DecoderChoice = .automatic,
        sandbox: SandboxMode = .automatic, scratch: String? = nil, isTolerant: Bool = false,
        frameGrabber: FrameGrabber? = .installed(), executable: URL? = nil,
        _ body: (WorkerPool) async throws -> Value
    ) async throws -> Value {
        var settings = ProcessingSettings()
        settings.cap = cap
        settings.decoder = decoder
        settings.scratchFolder = scratch
        settings.toleratesTruncation = isTolerant
        let pool = try WorkerPool(
            settings: settings, container: container, workers: workers, enforcement: enforcement,
            timeout: timeout, sandbox: sandbox, executable: executable, frameGrabber: frameGrabber,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            planningCap: planningCap)
        do {
            let value = try await body(pool)
            await pool.close()
            #expect(Self.workers.isEmpty)
            #expect(try unfinished.isEmpty)
            #expect(Self.groups.isEmpty)
            return value
        } catch {
            await pool.close()
            throw error
        }
    }

    /// One of the project's sample pictures.
    static func sample(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Images/\(name)").path
    }

    /// A picture that takes the memory of all its pixels.
    func picture(_ width: Int, _ height: Int, interlaced: Bool = false) throws -> String {
        let url = folder.appending(path: "\(width)x\(height)-\(interlaced).png")
        try LargePicture.write(width, height, interlaced: interlaced, to: url)
        return url.path
    }

    /// The error that an attachment ends with.
    func error(
        of pool: WorkerPool, _ path: String, deadline: ContinuousClock.Instant? = nil
    ) async -> AttachmentError? {
        do throws(AttachmentError) {
            _ = try await pool.process(
                AttachmentRequest(path: path, identifier: "id", deadline: deadline))
            return nil
        } catch {
            return error
        }
    }

    /// Files that are being written.
    var unfinished: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                atPath: container.root.appending(path: "incoming").path)
        }
    }

    /// The workers of this process.
    static var workers: [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { process in
            guard let stat = KernelFile.text("/proc/\(process)/stat"),
                let name = stat.lastIndex(of: ")")
            else { return false }
            let fields = stat[stat.index(after: name)...].split(separator: " ")
            return fields.count > 1 && fields[0] != "Z" && fields[1] == "\(getpid())"
                && stat.contains("(thimble-worker)")
        }
    }

    /// The control groups of this process.
    static var groups: [String] {
        guard let folder = Machine.hierarchy?.folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter {
            GroupName($0)?.owner == .current && GroupName($0)?.label != "supervisor"
        }
    }
}

extension Enforcement {
    /// Those that this machine has.
    static let available: [Enforcement] =
        (Machine.hasControlGroups ? [.cgroup] : []) + [.rlimit, .monitor]
}
