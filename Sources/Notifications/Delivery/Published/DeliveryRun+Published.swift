import AttachmentContainer
import AttachmentModel
import Logging
import NotificationPayload

extension DeliveryRun {
    /// Publishes a server's rendition under the notification's identifier, without decoding it; nil if
    /// the file is another one, is not ready to show, or exceeds a limit, and has to be processed.
    func kept(_ original: Original, as published: PublishedRendition) -> ProcessedAttachment? {
        let (file, configuration) = (original.file, stage.configuration)
        // The file of a sealed picture is encrypted, and has no descriptor with its bytes.
        guard request.naming == .notification, !stage.container.sealsPictures, !file.isEncrypted,
            file.length <= configuration.attachmentLimits.picture.bytes,
            let header = ReadyHeader(of: file),
            header.size.decodedBytes <= configuration.renderBudget,
            (try? file.attachment().digest()) == published.digest
        else { return nil }
        do throws(ContainerError) {
            return try publish(file, header, published.note)
        } catch {
            stage.logger.debug(
                "a published rendition could not be kept", metadata: ["reason": "\(error.reason)"])
            return nil
        }
    }

    private func publish(
        _ file: AllowedFile, _ header: ReadyHeader, _ note: DeliveryNote
    ) throws(ContainerError) -> ProcessedAttachment {
        var publication = Publication(in: stage.container)
        let expanded = try publication.add(
            IncomingFile(
                copying: file.descriptor, bytes: ByteCount(file.length), in: stage.container),
            as: .expanded, type: header.type, size: header.size)
        let placeholder = note.placeholder.flatMap { ThumbHash(rawValue: $0) }
        let colour =
            note.averageColour.flatMap { Colour(rawValue: $0) } ?? placeholder?.averageColour
            ?? DisplayContent.neutralColour
        let manifest = Manifest(
            identifier: request.notification.identifier,
            category: request.notification.categoryIdentifier,
            source: Manifest.Source(
                format: header.type == .png ? "png" : "jpeg", coding: header.coding,
                size: header.size, bytes: expanded.bytes, sha256: expanded.sha256),
            settings: Manifest.asPublished, renditions: [expanded],
            contentSizeRatio: Manifest.credibleRatio(of: header.size),
            placeholder: placeholder ?? ThumbHash(uniform: colour), averageColour: colour,
            rung: Manifest.asPublished,
            notes: note.outcome == .lowerRung
                ? ["smaller or older than requested, by the server"] : [])
        try publication.commit(manifest)
        let footprint = Footprint.current() ?? ByteCount(0)
        return ProcessedAttachment(
            manifest: manifest, work: .made,
            memory: MemoryUse(baseline: footprint, predictedPeak: nil, measuredPeak: footprint))
    }
}

extension Manifest {
    /// Rung and settings of a server's rendition that a device keeps as it is.
    static let asPublished = "as-published"
}
