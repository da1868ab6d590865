import Logging
import AttachmentContainer
import AttachmentModel
import AttachmentStore
import AttachmentWorker
import NotificationDelivery
import NotificationStaging
import ThimbleOptions

/// Workers whose renditions are published where devices can reach them.
final class PublishingProcessor: AttachmentProcessing {
    /// URLs, or the reason for their absence; nil if nothing is to be published.
    typealias Publication = Result<PublishedURLs, SourceFailure>?

    private let pool: WorkerPool
    private let publishing: RenditionPublishing
    private let publisher: ObjectPublisher?
    /// Time for one publication.
    private let timeout: Duration
    /// URLs of attachments that are not reported yet, by identifier.
    private let publications = Lock<[String: Result<PublishedURLs, SourceFailure>]>([:])

    init(
        _ pool: WorkerPool, _ store: StoreChoices, _ workers: WorkerChoices,
        in container: SharedContainer
    ) throws(StoreError) {
        self.pool = pool
        publisher = try store.publisher(
            in: container, workers.sandbox, Logger(label: "thimble"))
        publishing = store.place(publisher, in: container)
        timeout = .seconds(workers.timeout)
    }

    /// Maximum number of transfers at once, which wait for a server and not for workers.
    var maximumTransfers: Int { publisher?.settings.maximumRequests ?? 0 }

    func process(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> ProcessedAttachment {
        let done = try await pool.process(request)
        let publication: Publication
        do throws(DeliveryReason) {
            let urls = try await publishing.publish(
                done.manifest.published, by: .now + timeout)
            publication = urls.flatMap(PublishedURLs.init).map { .success($0) }
        } catch {
            publication = .failure(SourceFailure(error, name: request.path))
        }
        publications.withLock { $0[request.identifier] = publication }
        return done
    }

    func inspect(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> InspectedAttachment {
        try await pool.inspect(request)
    }

    /// Removes and returns the publication of an attachment that was processed.
    func takePublication(_ identifier: String) -> Publication {
        publications.withLock { $0.removeValue(forKey: identifier) }
    }

    func close() async { await publisher?.close() }
}
