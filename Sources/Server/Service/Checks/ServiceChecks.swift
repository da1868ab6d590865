import AttachmentContainer
import AttachmentFleet
import AttachmentModel
import AttachmentStore
import Foundation
import Logging
package import ServiceOptions
import Synchronization
package import ThimbleOptions
import UnixSignals

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
        // An image with a read-only root has only the container's folder.
        let places = [FileManager.default.temporaryDirectory.path, configuration.container]
        guard let scratch = ScratchContainer(in: places) else {
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
            CapCheck(
                configuration.renditions.cap, by: configuration.workers.enforcement,
                jobs: configuration.jobCount),
            workerCheck(withLibvips: false, in: scratch),
            workerCheck(withLibvips: true, in: scratch),
            fetchCheck(in: scratch),
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

    private func workerCheck(withLibvips: Bool, in scratch: ScratchContainer) -> WorkerCheck {
        WorkerCheck(
            configuration.settings, configuration.workers, withLibvips: withLibvips, in: scratch)
    }

    private func fetchCheck(in scratch: ScratchContainer) -> any Checking {
        guard configuration.payloads.fetches else { return TurnedOff(part: "fetch") }
        return FetchCheck(
            configuration.fetching, sandbox: configuration.workers.sandbox, in: scratch)
    }
}

/// A part that the configuration does without.
private struct TurnedOff: Checking {
    let part: String

    func diagnoses() async -> [Diagnosis] { [.ok(part, "turned off")] }
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
