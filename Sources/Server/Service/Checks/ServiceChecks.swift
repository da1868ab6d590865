import AttachmentContainer
import AttachmentFleet
import AttachmentModel
import AttachmentStore
import Foundation
import Logging
package import ServiceOptions
import Synchronization
import UnixSignals

/// Trial of one part of the service.
protocol Checking: Sendable {
    func diagnoses() async -> [Diagnosis]
}

/// Tries each part of a service as the service itself uses it, and leaves nothing behind.
///
/// Neither the container nor queues, folders or buckets are created. What must be written has a name
/// of its own and is removed.
package struct ServiceChecks: Sendable {
    private let configuration: ServiceConfiguration

    /// Creates the checks of a valid configuration.
    package init(_ configuration: ServiceConfiguration) { self.configuration = configuration }

    /// Runs all checks, one after the other; `report` receives each result at once.
    ///
    /// SIGINT and SIGTERM end them after the running one, so that nothing stays behind then either.
    ///
    /// - Returns: False if a signal ended them.
    package func run(_ report: (Diagnosis) -> Void) async -> Bool {
        let isInterrupted = Mutex(false)
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let watch = Task {
            for await _ in signals { isInterrupted.withLock { $0 = true } }
        }
        defer { watch.cancel() }
        let start = ClockReading.now
        guard let scratch = ScratchContainer(beside: configuration.container) else {
            report(
                .failed(
                    "scratch", "no folder for temporary files can be written",
                    remedy: "make /tmp or the container's folder writable, or set TMPDIR"))
            return true
        }
        defer { scratch.remove() }
        let store = OpenedStore(configuration, scratch)
        let checks: [any Checking] = [
            UserCheck(),
            ContainerCheck(configuration: configuration),
            TokenCheck(configuration: configuration),
            FileCheck(configuration: configuration),
            CapCheck(configuration: configuration),
            WorkerCheck(configuration: configuration, engine: .automatic, scratch: scratch),
            WorkerCheck(configuration: configuration, engine: .libvips, scratch: scratch),
            FetchCheck(configuration: configuration, scratch: scratch),
            StoreCheck(configuration: configuration, store: store),
            BrokerCheck(configuration: configuration),
            PortCheck(configuration: configuration, scratch: scratch),
            ClockCheck(start: start, store: store),
        ]
        for check in checks where !isInterrupted.withLock({ $0 }) {
            for diagnosis in await check.diagnoses() { report(diagnosis) }
        }
        await store.close()
        return !isInterrupted.withLock { $0 }
    }
}

/// A container for the trials of workers and transfers.
struct ScratchContainer: Sendable {
    let container: SharedContainer
    private let folder: URL

    /// Lies in the folder of temporary files, or in `folder` where that cannot be written, as in an
    /// image with a read-only root; nil without either.
    init?(beside folder: String) {
        let places = [FileManager.default.temporaryDirectory.path, folder]
        for place in places where access(place, W_OK | X_OK) == 0 {
            let url = URL(fileURLWithPath: place, isDirectory: true)
                .appending(path: ".thimble-doctor-\(UUID().uuidString)")
            guard let container = try? SharedContainer.create(at: url, mode: .ownerOnly) else {
                try? FileManager.default.removeItem(at: url)
                continue
            }
            self.container = container
            self.folder = url
            return
        }
        return nil
    }

    /// A further container, in which no picture is known; nil without room.
    func makeContainer(named name: String) -> SharedContainer? {
        try? SharedContainer.create(at: folder.appending(path: name), mode: .ownerOnly)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}

/// The store of a configuration, opened once for all checks.
struct OpenedStore: Sendable {
    /// Nil without a store; the failure to open the store is kept.
    let files: Result<ObjectFiles, any Error>?

    init(_ configuration: ServiceConfiguration, _ scratch: ScratchContainer) {
        guard !configuration.publishing.store.isEmpty else {
            files = nil
            return
        }
        files = Result {
            try configuration.objectFiles(
                in: scratch.container.incomingFolder, jobs: 1,
                Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() })
        }
    }

    /// Difference of the store's clock from this one; nil if unknown.
    var clockDifference: Duration? { (try? files?.get())?.clockDifference }

    func close() async { await (try? files?.get())?.close() }
}
