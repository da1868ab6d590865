import AttachmentContainer
import AttachmentStore
import NotificationDelivery

/// The place from which devices get the renditions that payloads name.
enum RenditionPublishing: Sendable {
    /// Payloads keep their own locations.
    case none
    /// The container itself is served under a URL.
    case container(PublishedRenditions, url: String)
    case store(ObjectPublisher)

    /// The outcome for one attachment of a payload.
    enum Publication: Sendable {
        /// Nothing is to be published, or the editor records it in the container.
        case none
        case published(url: String)
        case failed(DeliveryReason)
    }

    /// The publications if all renditions are known to be published; nil if they have to be awaited.
    func known(_ answers: [DeliveryAnswer]) -> [Publication]? {
        guard case .store(let publisher) = self else { return answers.map { _ in .none } }
        var publications: [Publication] = []
        for answer in answers {
            guard let rendition = answer.outcome.manifest?.attachment else {
                publications.append(.none)
                continue
            }
            guard let url = publisher.known(rendition) else { return nil }
            publications.append(.published(url: url))
        }
        return publications
    }

    /// Publishes the rendition of each answer that has one.
    func publish(
        _ answers: [DeliveryAnswer], by deadline: ContinuousClock.Instant
    ) async -> [Publication] {
        if let known = known(answers) { return known }
        return await withTaskGroup(of: (Int, Publication).self) { group in
            for (index, answer) in answers.enumerated() {
                guard case .store(let publisher) = self,
                    let rendition = answer.outcome.manifest?.attachment
                else { continue }
                group.addTask {
                    do throws(StoreError) {
                        let url = try await publisher.publish(rendition, by: deadline)
                        return (index, .published(url: url))
                    } catch {
                        return (index, .failed(DeliveryReason(error)))
                    }
                }
            }
            var publications = answers.map { _ in Publication.none }
            for await (index, publication) in group { publications[index] = publication }
            return publications
        }
    }

    /// The part of a payload's time that is left for publishing.
    func reserve(of deadline: Duration) -> Duration {
        guard case .store = self else { return .zero }
        return min(.seconds(2), deadline / 4)
    }
}

extension DeliveryReason {
    /// The reason for a payload whose rendition could not be published, such as `publish-unreachable`.
    init(_ error: StoreError) {
        self.init(
            Code(rawValue: "publish-\(error.code.rawValue)"),
            message: "the rendition was not published: \(error.reason)",
            remedy: error.remedyWithOptions)
    }
}

extension StoreError {
    /// The remedy with the options that matter.
    var remedyWithOptions: String {
        let options: [String] =
            switch code {
            case .region: ["--s3-region"]
            case .unreachable, .noBucket, .unsupported: ["--s3-endpoint"]
            case .late: ["--deadline"]
            default: []
            }
        return options.isEmpty
            ? code.remedy : "\(code.remedy) (\(options.joined(separator: ", ")))"
    }
}
