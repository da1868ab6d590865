import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning

extension RenderedAttachment {
    /// The facts of renditions that were made.
    ///
    /// - Parameters:
    ///   - renditions: The renditions.
    ///   - plan: The plan they were made by.
    init(_ renditions: Renditions, _ plan: Plan) {
        let notes = renditions.animationNotes ?? plan.header.frameNote
        let moving = renditions.moving.map { [Rendition($0)] } ?? []
        self.init(
            source: Source(plan.header, framesUsed: renditions.moving?.frames ?? 1),
            renditions: moving + [
                Rendition(renditions.expanded, as: .expanded),
                Rendition(renditions.banner, as: .banner),
            ],
            placeholder: renditions.placeholder.hash,
            averageColour: renditions.placeholder.averageColour, rung: plan.rung.rawValue,
            notes: notes + plan.rungNote + renditions.expanded.notes)
    }
}

extension RenderedAttachment.Rendition {
    fileprivate init(_ rendition: EncodedRendition, as role: RenditionRole) {
        self.init(
            role, type: rendition.type.rawValue, size: rendition.header.storedSize,
            crop: rendition.part, output: rendition.output?.number)
    }

    fileprivate init(_ moving: EncodedAnimation.Moving) {
        self.init(
            .attachment, type: RenditionType.gif.rawValue, size: moving.size,
            duration: moving.seconds, frames: moving.frames, loopCount: moving.loopCount,
            output: moving.output?.number)
    }
}

extension RenderedAttachment.Source {
    fileprivate init(_ header: AttachmentHeader, framesUsed: Int) {
        self.init(
            format: header.format.rawValue, coding: header.coding.rawValue,
            size: header.storedSize, orientation: header.orientation.rawValue,
            frames: header.frameCount, framesUsed: framesUsed)
    }
}

extension Plan {
    /// Says what was given up for the cap.
    fileprivate var rungNote: [String] {
        switch rung {
        case .animated, .streamed, .bounded, .fileBacked, .wholePicture: []
        case .reduced: ["reduced to \(expandedSize) for the memory cap"]
        case .preview: ["the embedded preview, for the memory cap"]
        }
    }
}

extension AttachmentHeader {
    /// Says so when only the first of several frames is shown.
    fileprivate var frameNote: [String] {
        guard isAnimated else { return [] }
        return [frameCount.map { "first frame of \($0)" } ?? "first frame of several"]
    }
}
