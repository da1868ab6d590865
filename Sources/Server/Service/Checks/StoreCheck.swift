import AttachmentContainer
import AttachmentFleet
import AttachmentPublishing
import AttachmentStore
import Foundation
import JobBroker
import ServiceOptions
import ThimbleOptions

/// The store: writes a small object of its own name, reads it back and removes it.
struct StoreCheck: Checking {
    let configuration: ServiceConfiguration
    let store: OpenedStore

    /// Time for one request.
    private static let patience = Duration.seconds(10)

    func diagnoses() async -> [Diagnosis] {
        guard let opened = store.files else {
            guard configuration.fleet else {
                return [.ok("store", "none: renditions stay in the container")]
            }
            return [
                .failed(
                    "store", "none, and a fleet needs one",
                    remedy: "name a bucket or a folder with --publish")
            ]
        }
        let destination = configuration.publishing.store
        do {
            // The folder would stay behind.
            if let folder = try folder(), !folder.exists {
                return [folder.diagnosis("store", "the first rendition creates it")]
            }
            try await exchange(with: opened.get())
            return [.ok("store", "\(destination): an object was written, read and removed")]
        } catch let error as StoreError {
            return [
                .failed("store", "\(destination): \(error.reason)", remedy: error.fault.remedy)
            ]
        } catch {
            return [.failed("store", "\(error)", remedy: "correct the option")]
        }
    }

    private func folder() throws -> NewFolder? {
        switch try configuration.publishing.destination(StoreAccess()) {
        case .folder(let folder): NewFolder(folder.path)
        case .s3, nil: nil
        }
    }

    private func exchange(with files: ObjectFiles) async throws(StoreError) {
        let key = "thimble-doctor-\(UUID().uuidString)"
        let bytes = Array("Written by thimble-server doctor, which removes it at once.\n".utf8)
        do throws(StoreError) {
            try await files.store(
                bytes, as: key, contentType: "text/plain", within: Self.patience)
            let read = try await files.contents(of: key, limit: 1 << 10, within: Self.patience)
            guard read == bytes else {
                throw StoreError(
                    .failed, reason: "an object that was just written reads differently")
            }
        } catch {
            // A late answer may have stored it all the same.
            try? await files.remove(key, within: Self.patience)
            throw error
        }
        try await files.remove(key, within: Self.patience)
    }
}

/// Each node of the broker: connects, declares, publishes and consumes on queues of its own.
struct BrokerCheck: Checking {
    let configuration: ServiceConfiguration

    func diagnoses() async -> [Diagnosis] {
        guard !configuration.broker.isEmpty || configuration.fleet else {
            return [.ok("broker", "none: this machine's workers process everything")]
        }
        let settings: BrokerSettings
        do throws(ConfigurationError) {
            settings = try configuration.brokerSettings()
        } catch {
            return [
                .failed(
                    "broker", "a URL is missing or invalid",
                    remedy: "\(error.field) must be \(error.range)")
            ]
        }
        return await BlockingWork.run {
            settings.nodes.enumerated().map { diagnosis(of: $1, number: $0 + 1, settings) }
        }
    }

    private func diagnosis(
        of node: BrokerSettings.Node, number: Int, _ settings: BrokerSettings
    ) -> Diagnosis {
        do throws(BrokerError) {
            let probe = try BrokerProbe(node, settings)
            let found = "\(node.place): a message was published and received"
            guard probe.hasQueues else {
                return .ok("broker", "\(found); the service creates the queues")
            }
            guard probe.consumers > 0 || !configuration.fleet else {
                return .warning(
                    "broker", "\(found), but no worker takes jobs; \(probe.ready) are waiting",
                    remedy: "start 'thimble-server work' on a machine")
            }
            return .ok(
                "broker", "\(found); \(probe.ready) jobs wait for \(probe.consumers) workers")
        } catch {
            return .failed("broker", "node \(number): \(error.reason)", remedy: error.fault.remedy)
        }
    }
}
