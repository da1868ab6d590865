import AttachmentContainer
import AttachmentModel
import NotificationPreview

/// A preset as a control of the page.
struct PresetLimits: Encodable {
    let name: Preset
    let title: String
    /// The room of the rendition, for a person.
    let size: String
    /// True if requests without presets have it.
    let isSelected: Bool

    init(_ preset: Preset, in selection: PresetSelection) {
        name = preset
        title = preset == .content ? "Content extension" : preset.role.title
        isSelected = selection.presets.contains(preset)
        size =
            switch (preset, preset.surface) {
            case (.content, _): "expanded and banner"
            case (_, let surface?):
                (surface.isFilled ? "" : "up to ")
                    + "\(surface.size.width) × \(surface.size.height)"
            case (_, nil): "square"
            }
    }
}
