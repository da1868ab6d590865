import AttachmentContainer
import AttachmentModel
import Logging
import NotificationPayload

extension DeliveryRun {
    /// Returns the answer for the processor's result.
    ///
    /// `error` is the reason for an attempt on a lower rung. The draft has no picture if its file cannot
    /// be created; the content extension can still show the renditions.
    func draft(of processed: ProcessedAttachment, after error: AttachmentError? = nil) -> Draft {
        let manifest = processed.manifest
        guard Rung(rawValue: manifest.rung)?.isFullSize == false else {
            return draft(.renditions(processed), of: manifest)
        }
        return draft(.lowerRung(manifest), of: manifest).adding(
            reasons: (error.map { [DeliveryReason($0)] } ?? []) + [.lowerRung(manifest.rung)])
    }

    /// Returns an answer from the container's renditions for this identifier; nil without one.
    ///
    /// With an original, the renditions must have been made from it. A request with the naming of
    /// pictures has no identifier before its picture was read.
    func earlierRenditions(of original: Original? = nil) -> Draft? {
        let identifier = request.notification.identifier
        guard request.naming == .notification,
            let manifest = try? stage.container.manifest(for: identifier),
            original.map({ $0.isSource(of: manifest) }) ?? true
        else { return nil }
        let draft = draft(.lowerRung(manifest), of: manifest).adding(reasons: [.earlierRenditions])
        return draft.picture == nil && !manifest.isSealed ? nil : draft
    }

    /// Removes the container's renditions for this identifier that are of another attachment.
    ///
    /// Otherwise the content extension could show the picture of the notification that this one
    /// replaces. Pinned pictures stay.
    func removeStaleRenditions(unlessOf original: Original) {
        let (identifier, container) = (request.notification.identifier, stage.container)
        guard request.naming == .notification,
            let manifest = try? container.manifest(for: identifier),
            !original.isSource(of: manifest),
            (try? container.isPinned(identifier)) == false
        else { return }
        do throws(ContainerError) {
            try container.forget(identifier)
        } catch {
            stage.logger.warning(
                "earlier renditions could not be removed",
                metadata: ["key": "\(manifest.key)", "reason": "\(error.reason)"])
        }
    }

    /// Returns the answer without new renditions: existing renditions of the same bytes, the original
    /// if it may be attached, or no picture.
    func fallback(for original: Original, isDamaged: Bool = false) -> Draft {
        if let earlier = earlierRenditions(of: original) { return earlier }
        guard !isDamaged else { return Draft(reasons: [.damaged]) }
        guard !stage.container.sealsPictures else { return Draft(reasons: [.notSealed]) }
        do throws(DeliveryReason) {
            let type = try original.eligibility.get()
            let file = try placement.place(original.file, as: type)
            return Draft(outcome: .original, picture: (file, type))
        } catch {
            return Draft(reasons: [error])
        }
    }

    private func draft(_ outcome: DeliveryAnswer.Outcome, of manifest: Manifest) -> Draft {
        var draft = Draft(outcome: outcome, clipping: manifest.rendition(.banner)?.crop)
        do throws(DeliveryReason) {
            guard !manifest.isSealed else { throw .sealed }
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
        Placement(handover: stage.configuration.handover, container: stage.container) {
            !delivery.isAnswered
        }
    }
}

extension Original {
    fileprivate func isSource(of manifest: Manifest) -> Bool {
        guard manifest.source.bytes.bytes == file.length,
            let digest = try? file.attachment().digest()
        else { return false }
        return manifest.source.sha256 == digest
    }
}

extension DeliveryReason {
    package static let noAttachment = DeliveryReason(
        .noAttachment, reason: "the notification has no attachment")
    fileprivate static let earlierRenditions = DeliveryReason(
        .earlierRenditions, reason: "existing renditions from the container were used")
    fileprivate static let sealed = DeliveryReason(
        .sealed, reason: "the renditions are sealed, and the system stores attachments in the clear"
    )
    /// The original where renditions would be sealed.
    fileprivate static let notSealed = DeliveryReason(
        .encrypted, reason: "pictures are sealed here, and the original is not stored in the clear")
    fileprivate static let nothingToAttach = DeliveryReason(
        .storage, reason: "the manifest has no picture that the system accepts",
        remedy: "process the attachment again")

    fileprivate static func lowerRung(_ rung: String) -> DeliveryReason {
        DeliveryReason(
            .lowerRung, reason: "the picture is smaller than requested, from the rung \(rung)")
    }

    fileprivate static func passedThrough(_ medium: AttachableType.Medium) -> DeliveryReason {
        DeliveryReason(
            .passedThrough, reason: "a \(medium.rawValue) is attached unchanged")
    }
}
