public import AttachmentContainer
public import AttachmentStore
public import NotificationDelivery

/// The place from which devices get the renditions that payloads name.
public struct RenditionPublishing: Sendable {
    enum Place: Sendable {
        case none
        case container(PublishedRenditions, url: String)
        case store(ObjectPublisher)
    }

    let place: Place

    /// Payloads keep their own locations.
    public static let none = RenditionPublishing(place: .none)

    /// The container itself, whose folder of renditions is served under a URL.
    ///
    /// - Parameters:
    ///   - container: The container. Pruning keeps renditions whose URLs were given out.
    ///   - url: The URL under which the folder of renditions is served.
    /// - Returns: The place.
    public static func container(_ container: SharedContainer, url: String) -> Self {
        Self(place: .container(PublishedRenditions(in: container), url: url))
    }

    /// A bucket or a folder.
    ///
    /// - Parameter publisher: The publisher, which the caller closes.
    /// - Returns: The place.
    public static func store(_ publisher: ObjectPublisher) -> Self {
        Self(place: .store(publisher))
    }

    /// The outcome for one attachment of a payload.
    enum Publication: Sendable {
        /// Nothing is to be published, or the editor records it in the container.
        case none
        /// The URLs of all renditions, the main one first.
        case published([PublishedURL])
        case failed(DeliveryReason)

        /// `none` without a URL.
        init(_ urls: [PublishedURL]) { self = urls.isEmpty ? Self.none : .published(urls) }

        var failure: DeliveryReason? {
            if case .failed(let reason) = self { reason } else { nil }
        }
    }

    /// The publications if all renditions are known to be published; nil if they have to be awaited.
    func known(_ answers: [DeliveryAnswer]) -> [Publication]? {
        guard case .store(let publisher) = place else { return answers.map { _ in .none } }
        var publications: [Publication] = []
        for answer in answers {
            let renditions = answer.outcome.manifest?.published ?? []
            let urls = renditions.compactMap { rendition in
                publisher.known(rendition).map { PublishedURL(role: rendition.role, url: $0) }
            }
            guard urls.count == renditions.count else { return nil }
            publications.append(Publication(urls))
        }
        return publications
    }

    /// Publishes the renditions of each answer that has some.
    func publish(
        _ answers: [DeliveryAnswer], by deadline: ContinuousClock.Instant
    ) async -> [Publication] {
        guard case .store = place else { return answers.map { _ in .none } }
        return await withTaskGroup(of: (Int, Publication).self) { group in
            for (index, answer) in answers.enumerated() {
                let renditions = answer.outcome.manifest?.published ?? []
                guard !renditions.isEmpty else { continue }
                group.addTask { (index, await publication(ofAll: renditions, by: deadline)) }
            }
            var publications = answers.map { _ in Publication.none }
            for await (index, publication) in group { publications[index] = publication }
            return publications
        }
    }

    /// Publishes renditions, all at once.
    ///
    /// - Parameters:
    ///   - renditions: Renditions in the container.
    ///   - deadline: The time by which they have to be published.
    /// - Returns: Their URLs for devices, in their order; nil if nothing is to be published.
    /// - Throws: `DeliveryReason` of the first that fails; the others may have been published.
    public func publish(
        _ renditions: [Manifest.Rendition], by deadline: ContinuousClock.Instant
    ) async throws(DeliveryReason) -> [PublishedURL]? {
        if case .none = place { return nil }
        let publications = await publications(of: renditions, by: deadline)
        var urls: [PublishedURL] = []
        for publication in publications {
            switch publication {
            case .none: break
            case .published(let published): urls += published
            case .failed(let reason): throw reason
            }
        }
        return urls
    }

    private func publications(
        of renditions: [Manifest.Rendition], by deadline: ContinuousClock.Instant
    ) async -> [Publication] {
        await withTaskGroup(of: (Int, Publication).self) { group in
            for (index, rendition) in renditions.enumerated() {
                group.addTask { (index, await publication(of: rendition, by: deadline)) }
            }
            var publications = renditions.map { _ in Publication.none }
            for await (index, publication) in group { publications[index] = publication }
            return publications
        }
    }

    /// The publication of all renditions.
    private func publication(
        ofAll renditions: [Manifest.Rendition], by deadline: ContinuousClock.Instant
    ) async -> Publication {
        do throws(DeliveryReason) {
            return Publication(try await publish(renditions, by: deadline) ?? [])
        } catch {
            return .failed(error)
        }
    }

    /// Not in the task's closure, where Swift 6.3 confuses the value with the typed error.
    private func publication(
        of rendition: Manifest.Rendition, by deadline: ContinuousClock.Instant
    ) async -> Publication {
        do throws(DeliveryReason) {
            let url = try await publish(rendition, by: deadline)
            return Publication(url.map { [PublishedURL(role: rendition.role, url: $0)] } ?? [])
        } catch {
            return .failed(error)
        }
    }

    /// Publishes one rendition.
    ///
    /// - Parameters:
    ///   - rendition: A rendition in the container.
    ///   - deadline: The time by which it has to be published.
    /// - Returns: Its URL for devices; nil if nothing is to be published.
    /// - Throws: `DeliveryReason` with a code such as `publish-unreachable`.
    public func publish(
        _ rendition: Manifest.Rendition, by deadline: ContinuousClock.Instant
    ) async throws(DeliveryReason) -> String? {
        switch place {
        case .none: return nil
        case .container(let published, let base):
            let isRecorded: Bool
            do throws(ContainerError) {
                isRecorded = try published.record(rendition)
            } catch {
                throw Self.unrecorded(error)
            }
            guard isRecorded else { throw Self.removed }
            return base + (base.hasSuffix("/") ? "" : "/") + rendition.file
        case .store(let publisher):
            do throws(StoreError) {
                return try await publisher.publish(rendition, by: deadline)
            } catch {
                throw DeliveryReason(error)
            }
        }
    }

    /// The reason for a rendition whose URL the container cannot record.
    static func unrecorded(_ error: ContainerError) -> DeliveryReason {
        DeliveryReason(
            .storage, reason: "the rendition was not published: \(error.reason)",
            remedy: error.fault.remedy, cause: error.fault)
    }

    /// The reason for a rendition that pruning removed before its URL was recorded.
    static let removed = DeliveryReason(
        .storage, reason: "the rendition was removed before it was published", remedy: "try again")

    /// The part of a payload's time that is left for publishing.
    func reserve(of time: Duration) -> Duration {
        guard case .store = place else { return .zero }
        return min(.seconds(2), time / 4)
    }
}
