import AttachmentContainer
import AttachmentModel
import Foundation
import Logging
import WorkerProtocol
import SampleMedia
import Testing

@testable import AttachmentWorker

/// A temporary folder with a container, pictures and a pool.
struct PoolFixture {
    let folder: URL
    let container: SharedContainer

    /// Creates the folder and removes it afterwards.
    @discardableResult
    static func with<Value>(_ body: (PoolFixture) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try SharedContainer.create(at: folder.appending(path: "container"))
        return try await body(PoolFixture(folder: folder, container: container))
    }

    /// Runs a pool, closes it and checks that nothing remains.
    @discardableResult
    func withPool<Value>(
        cap: MemoryCap = MemoryCap(.mebibytes(64)), workers: Int = 1,
        by enforcement: Enforcement = .auto, timeout: Duration = .seconds(60),
        planningFor planningCap: MemoryCap? = nil,
        decoder: ProcessingSettings.DecoderChoice = .automatic,
        colourSpace: ProcessingSettings.ColourSpace = .sRGB,
        sandbox: SandboxMode = .automatic, scratch: String? = nil, isTolerant: Bool = false,
        frameGrabber: FrameGrabber? = .installed(), early: EarlyWorker? = nil,
        threads: DecodingThreads = .automatic, executable: URL? = nil,
        _ body: (WorkerPool) async throws -> Value
    ) async throws -> Value {
        var settings = ProcessingSettings()
        settings.cap = planningCap ?? cap
        settings.decoder = decoder
        settings.colourSpace = colourSpace
        settings.scratchFolder = scratch
        settings.toleratesTruncation = isTolerant
        let pool = try WorkerPool(
            settings: settings, container: container, workers: workers, enforcement: enforcement,
            timeout: timeout, sandbox: sandbox, executable: executable, frameGrabber: frameGrabber,
            earlyWorker: early, threads: threads,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            enforcedCap: cap)
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

    /// Path of a sample picture.
    static func sample(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Images/\(name)").path
    }

    /// Path of a JPEG that needs libvips.
    func pictureForLibvips() throws -> String {
        let sample = try Data(contentsOf: URL(fileURLWithPath: Self.sample("lake-baseline.jpg")))
        let url = folder.appending(path: "rgb.jpg")
        try sample.declaredAsRGB.write(to: url)
        return url.path
    }

    /// A picture whose decoding needs the memory of all its pixels.
    func picture(_ width: Int, _ height: Int, interlaced: Bool = false) throws -> String {
        let url = folder.appending(path: "\(width)x\(height)-\(interlaced).png")
        try LargePicture.write(width, height, interlaced: interlaced, to: url)
        return url.path
    }

    /// The error of an attachment; nil on success.
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

    /// Incomplete files.
    var unfinished: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                atPath: container.root.appending(path: "incoming").path)
        }
    }

    static var workers: [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { process in
            guard let stat = KernelFile.text("/proc/\(process)/stat"),
                let name = stat.lastIndex(of: ")")
            else { return false }
            let fields = stat[stat.index(after: name)...].split(separator: " ")
            return fields.count > 1 && fields[0] != "Z" && fields[1] == "\(getpid())"
                && (stat.contains("(thimble-worker)") || stat.contains("(thimble-row-wor)"))
        }
    }

    static var groups: [String] {
        guard let folder = Machine.hierarchy?.folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter {
            GroupName($0)?.owner == .current && GroupName($0)?.label != "supervisor"
        }
    }
}

extension Enforcement {
    /// Mechanisms available on this machine.
    static let available: [Enforcement] =
        (Machine.hasControlGroups ? [.cgroup] : []) + [.rlimit, .monitor]
}
