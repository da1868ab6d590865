import AttachmentContainer
import AttachmentModel
import AttachmentPlanning

extension Plan {
    /// Notes on losses of size or quality: the content extension's, then each named preset's.
    func notes(on encoded: [EncodedRendition]) -> [String] {
        let content = encoded.first { $0.role == .expanded }?.notes ?? []
        // Beside an expanded rendition, whose notes matter more, the banner has none.
        let banner =
            presets.includesContent
            ? [] : encoded.first { $0.role == .banner }?.notes.map { "banner: \($0)" } ?? []
        let others = renditions.flatMap { planned -> [String] in
            let own = encoded.first { $0.role == planned.preset.role }?.notes ?? []
            return (planned.notes + own).map { "\(planned.preset.rawValue): \($0)" }
        }
        return content + banner + stillNote + others
    }

    /// Note on a still of an animation, because surfaces show stills.
    private var stillNote: [String] {
        guard decoder == .animation, !renditions.isEmpty else { return [] }
        let names = renditions.map(\.preset.rawValue).joined(separator: ", ")
        return ["\(names): a still of the animation"]
    }
}

extension PlannedRendition {
    /// Notes on the size; empty for the surface's own size.
    fileprivate var notes: [String] {
        if size != requestedSize { return ["reduced to \(size) for the memory cap"] }
        if isLimitedByPixels {
            return ["reduced to \(size) for the surface's \(surface.maximumPixels) pixels"]
        }
        guard surface.isFilled, size != surface.size else { return [] }
        return ["\(size), because the attachment is smaller than the surface's \(surface.size)"]
    }
}
