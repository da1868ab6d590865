import AttachmentContainer
import Foundation
import NotificationDelivery
import NotificationPayload

/// Puts pictures into staged payloads.
struct InlineEditor: Sendable {
    /// A place for a picture in a staged payload.
    struct Place: Sendable {
        fileprivate let room: InlineRoom
        fileprivate let note: DeliveryNote
        /// Path of the rendition to show.
        fileprivate let path: String
        /// Most bytes of the picture.
        fileprivate let bytes: Int
    }

    private let maker: InlinePictureMaker
    private let container: SharedContainer
    private let settings: StagingSettings

    init(_ maker: InlinePictureMaker, _ container: SharedContainer, _ settings: StagingSettings) {
        (self.maker, self.container, self.settings) = (maker, container, settings)
    }

    /// The place for the picture of the first rendition.
    ///
    /// `answers` are those before publishing, which is where the renditions are.
    func place(
        in staged: StagedPayload, _ plan: PayloadPlan, _ answers: [DeliveryAnswer]
    ) throws(InlineFailure) -> Place {
        let shown = zip(plan.references, answers).first { reference, answer in
            reference.isForApple && answer.outcome.manifest?.still != nil
        }
        guard let (reference, answer) = shown, let still = answer.outcome.manifest?.still else {
            throw InlineFailure(
                .unavailable, "the payload has no rendition for an inline picture",
                remedy: "see the reason for its outcome")
        }
        guard staged.payload.hasPlaceForNote else {
            throw InlineFailure(
                .noRoom, "the request has no place for an inline picture",
                remedy: "stage the APNs payload instead of the provider's request")
        }
        let room = InlineRoom(
            in: staged.payload, at: settings.notePath, limit: plan.limit)
        let notes = notes(on: staged, plan, answer, reference)
        let rooms = notes.map { (note: $0, bytes: room.bytes(beside: $0)) }
        // The first note that leaves room for a picture that shows something, else the most room.
        let chosen =
            rooms.first { $0.bytes >= InlineRule.usefulBytes } ?? rooms.max { $0.bytes < $1.bytes }
        guard let (note, bytes) = chosen, bytes >= settings.inline.fewestBytes else {
            throw InlineFailure(
                .noRoom,
                "the payload leaves \(rooms.last?.bytes ?? 0) bytes for an inline picture, which "
                    + "takes at least \(settings.inline.fewestBytes)",
                remedy: "shorten the payload")
        }
        // Rounded down, so that payloads of similar lengths share a picture; exact if little is left.
        let step = bytes < Self.exactBelow ? 1 : Self.step
        return Place(
            room: room, note: note, path: container.url(of: still).path,
            bytes: bytes / step * step)
    }

    /// True if the picture of a place is known, or another payload has it made.
    func needsNoWorker(_ place: Place) -> Bool {
        maker.needsNoWorker(
            of: place.path, atMost: place.bytes, chroma: settings.inlineChroma)
    }

    /// The payload with a picture in its place, or with the reason that it has none.
    func edit(
        _ staged: StagedPayload, _ place: Place, by deadline: ContinuousClock.Instant
    ) async -> StagedPayload {
        do throws(InlineFailure) {
            let picture = try await maker.picture(
                of: place.path, atMost: place.bytes, chroma: settings.inlineChroma, by: deadline)
            guard let payload = place.room.adding(picture, to: place.note) else {
                throw InlineFailure(.noRoom, "the payload has no place for an inline picture")
            }
            return staged.with(payload, inlinePicture: picture)
        } catch {
            return self.staged(staged, without: error)
        }
    }

    /// The payload with the reason that it has no picture.
    func staged(_ staged: StagedPayload, without failure: InlineFailure) -> StagedPayload {
        staged.withoutInlinePicture(because: failure, isRequired: settings.inline.isRequired)
    }

    /// Notes to put the picture into, the most complete first.
    private func notes(
        on staged: StagedPayload, _ plan: PayloadPlan, _ answer: DeliveryAnswer,
        _ reference: AttachmentReference
    ) -> [DeliveryNote] {
        let whole = plan.note(on: staged.answers)
        let written = staged.payload.note(at: settings.notePath)
        var shortest = DeliveryNote(
            outcome: whole?.outcome ?? answer.note.outcome,
            index: plan.references.firstIndex { $0.location == reference.location } ?? 0,
            identifier: written?.identifier)
        guard settings.inline != .only else {
            // The picture is the rendition: the note leads to no other.
            shortest.identifier = nil
            shortest.contentSizeRatio = answer.note.contentSizeRatio
            return [shortest]
        }
        return [written, settings.inline == .always ? shortest : nil].compactMap(\.self)
    }

    /// Payloads with rooms of the same 64 bytes share a picture: 3 % of 2,400 bytes.
    private static let step = 64
    private static let exactBelow = 900
}

extension Manifest {
    /// The still to show inside a payload; nil for media and without the content extension's preset.
    fileprivate var still: Rendition? {
        rendition(.expanded) ?? rendition(.banner)
            ?? published.first { $0.type != RenditionType.gif.rawValue && $0.size != .zero }
    }
}
