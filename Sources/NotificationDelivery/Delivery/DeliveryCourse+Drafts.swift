import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import Logging
import NotificationPayload

extension DeliveryCourse {
    /// The answer made of what the processor brought.
    ///
    /// - Parameters:
    ///   - processed: What it brought.
    ///   - error: Why it was asked for less; nil when it was not.
    /// - Returns: The draft. It has no picture when the file to attach cannot be made; the content
    ///   extension shows the renditions all the same.
    func draft(of processed: ProcessedAttachment, after error: AttachmentError? = nil) -> Draft {
        let manifest = processed.manifest
        guard Plan.Rung(rawValue: manifest.rung)?.isFullSize == false else {
            return draft(.renditions(processed), of: manifest)
        }
        return draft(.lowerRung(manifest), of: manifest)
            .because((error.map { [DeliveryReason($0)] } ?? []) + [.lowerRung(manifest.rung)])
    }

    /// The answer made of what the container has for the notification's identifier.
    ///
    /// - Parameter original: What it must have been made of; nil for anything.
    /// - Returns: The draft; nil when there is nothing to attach.
    func earlierRenditions(of original: Original? = nil) -> Draft? {
        let identifier = request.notification.identifier
        guard let manifest = try? stage.container.manifest(for: identifier),
            original.map({ $0.isSource(of: manifest) }) ?? true
        else { return nil }
        let draft = draft(.lowerRung(manifest), of: manifest).because([.earlierRenditions])
        return draft.picture == nil ? nil : draft
    }

    /// Removes what the container has for the notification's identifier of another attachment.
    ///
    /// The content extension would show the picture of the notification that this one takes the
    /// place of, whenever none is made of its own. A person who pinned it keeps it.
    ///
    /// - Parameter original: The attachment.
    func forgetEarlierRenditions(unlessOf original: Original) {
        let (identifier, container) = (request.notification.identifier, stage.container)
        guard let manifest = try? container.manifest(for: identifier),
            !original.isSource(of: manifest),
            (try? container.isPinned(identifier)) == false
        else { return }
        do throws(ContainerError) {
            try container.forget(identifier)
        } catch {
            stage.logger.warning(
                "an earlier picture stays",
                metadata: ["key": "\(manifest.key)", "reason": "\(error.reason)"])
        }
    }

    /// The answer when no renditions are made.
    ///
    /// - Parameters:
    ///   - original: The attachment.
    ///   - isDamaged: Whether its picture was found to be damaged.
    /// - Returns: What the container has of the same bytes, else the original where it may be
    ///   attached, else nothing.
    func standIn(for original: Original, isDamaged: Bool = false) -> Draft {
        if let earlier = earlierRenditions(of: original) { return earlier }
        guard !isDamaged else { return Draft(reasons: [.damaged]) }
        do throws(DeliveryReason) {
            let type = try original.standing.get()
            let file = try placement.place(original.file, as: type)
            return Draft(outcome: .original, picture: (file, type))
        } catch {
            return Draft(reasons: [error])
        }
    }

    private func draft(_ outcome: DeliveryAnswer.Outcome, of manifest: Manifest) -> Draft {
        var draft = Draft(
            outcome: outcome, clipping: manifest.rendition(.banner)?.crop)
        do throws(DeliveryReason) {
            guard let rendition = manifest.attachment, let type = AttachableType(rendition) else {
                throw .nothingToAttach
            }
            let limit = stage.configuration.attachmentLimits.limit(for: type.medium)
            guard rendition.bytes <= limit else {
                throw .overTypeLimit("the rendition", rendition.bytes, type.medium, limit)
            }
            if rendition.role == .media { draft.reasons = [.passedThrough(type.medium)] }
            draft.picture = (try placement.place(rendition, as: type), type)
        } catch {
            draft.reasons = [error]
        }
        return draft
    }

    private var placement: Placement {
        Placement(stage.configuration.handover, stage.container) { !delivery.isAnswered }
    }
}

extension Original {
    /// Whether renditions were made of the same bytes.
    fileprivate func isSource(of manifest: Manifest) -> Bool {
        guard manifest.source.bytes.bytes == file.length,
            let digest = try? file.attachment().digest()
        else { return false }
        return manifest.source.sha256 == digest
    }
}

extension DeliveryReason {
    package static let noAttachment = DeliveryReason(
        .noAttachment, message: "the notification came without an attachment",
        remedy: "name one, if there should be a picture")
    fileprivate static let earlierRenditions = DeliveryReason(
        .earlierRenditions, message: "what the container held for the notification was taken",
        remedy: "process the attachment again when there is time")
    fileprivate static let nothingToAttach = DeliveryReason(
        .storage, message: "the manifest names no picture that the system takes",
        remedy: "process the attachment again")

    fileprivate static func lowerRung(_ rung: String) -> DeliveryReason {
        DeliveryReason(
            .lowerRung, message: "the picture is smaller than asked, from the rung \(rung)",
            remedy: "raise the cap or the time, or send a smaller picture")
    }

    fileprivate static func passedThrough(_ medium: AttachableType.Medium) -> DeliveryReason {
        DeliveryReason(
            .passedThrough, message: "a \(medium.rawValue) is attached as it is",
            remedy: "nothing needs to be done")
    }
}
