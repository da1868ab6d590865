import AttachmentContainer
import AttachmentModel
import AttachmentPlanning

extension RenderedAttachment {
    /// `notes` are from an earlier attempt.
    init(_ renditions: Renditions, _ plan: Plan, notes: [String]) {
        let frameNotes = renditions.animation?.notes ?? plan.header.frameNote
        let gif = renditions.animation?.gif
        self.init(
            source: Source(plan.header, framesUsed: gif?.summary.frames ?? 1),
            renditions: (gif.map { [Rendition($0)] } ?? [])
                + renditions.stills.renditions.map { Rendition($0) },
            placeholder: renditions.stills.placeholder.hash,
            averageColour: renditions.stills.placeholder.averageColour, rung: plan.rung.rawValue,
            engine: plan.engine,
            notes: frameNotes + plan.rungNote + plan.gainMapNote + notes
                + plan.notes(on: renditions.stills.renditions),
            thumbnailTime: gif.map { Double($0.summary.thumbnailFrame) })
    }
}

extension RenderedAttachment.Rendition {
    fileprivate init(_ rendition: EncodedRendition) {
        self.init(
            rendition.role, type: rendition.type.rawValue, size: rendition.header.storedSize,
            crop: rendition.part, output: rendition.output?.number)
    }

    fileprivate init(_ gif: EncodedAnimation.GIF) {
        let summary = gif.summary
        self.init(
            .attachment, type: RenditionType.gif.rawValue,
            size: PixelSize(width: summary.width, height: summary.height),
            duration: Double(summary.milliseconds) / 1000, frames: summary.frames,
            // 0 means endless.
            loopCount: summary.plays ?? 0, output: gif.output?.number)
    }
}

extension RenderedAttachment.Source {
    fileprivate init(_ header: AttachmentHeader, framesUsed: Int) {
        self.init(
            format: header.format.rawValue, coding: header.coding.name,
            size: header.storedSize, orientation: header.orientation.rawValue,
            frames: header.frameCount, framesUsed: framesUsed)
    }
}

extension Plan {
    fileprivate var rungNote: [String] {
        switch rung {
        case .animated, .streamed, .bounded, .fileBacked, .wholePicture: []
        case .outOfProcess: ["decoded by the system in another process, for the memory cap"]
        case .reduced:
            presets.includesContent && expandedReduction < 1
                ? ["reduced to \(expandedSize) for the memory cap"] : []
        case .preview: ["the embedded preview, for the memory cap"]
        }
    }
}

extension Plan {
    /// A file with a gain map is never copied whole, since the gain map makes it one with metadata.
    fileprivate var gainMapNote: [String] { header.gainMap.map { [$0.droppedNote] } ?? [] }
}

extension AttachmentHeader {
    fileprivate var frameNote: [String] {
        guard isAnimated else { return [] }
        return [coding.stillNote(frames: frameCount.map(String.init) ?? "several")]
    }
}
