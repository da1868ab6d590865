import AttachmentContainer
import AttachmentFleet
import AttachmentModel
import AttachmentPublishing
import AttachmentStore
import JobBroker
import Logging
import ServiceOptions

/// The service's use of a fleet in place of workers of its own.
struct FleetConnection: Sendable {
    /// Jobs that are waited for at once: as many as the broker takes without a confirmation.
    static let places = 200
    /// Time after which a client may try again while the fleet takes no jobs.
    static let refusalSeconds = 5

    private let client: FleetClient
    private let files: ObjectFiles
    private let standard: ProcessingSettings

    init(
        _ configuration: ServiceConfiguration, _ container: SharedContainer, _ logger: Logger
    ) throws {
        files = try configuration.objectFiles(
            in: container.incomingFolder, jobs: Self.places, logger)
        standard = configuration.settings
        client = FleetClient(files: files, try configuration.brokerSettings(), logger)
    }

    /// The reason for which the fleet takes no jobs; nil otherwise.
    var refusal: BrokerError? { client.refusal }

    /// `local` reads headers.
    func processor(
        _ settings: ProcessingSettings, _ container: SharedContainer,
        local: any AttachmentProcessing
    ) throws -> any AttachmentProcessing {
        FleetProcessor(
            client: client, settings: try FleetSettings(of: settings, from: standard),
            publisher: AttachmentPublisher(to: container, settings), local: local)
    }

    func close() async {
        await client.close()
        await files.close()
    }
}
