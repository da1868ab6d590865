import AttachmentContainer
import AttachmentModel
import Hummingbird
import ServiceOptions

/// The settings of a trial, from the query of its request.
enum TrialSettings {
    /// Caps that the page may ask for, in MiB.
    ///
    /// A worker without an attachment needs 2 MiB. The largest is the service's cap, or 64 MiB, so
    /// that a trial takes little more memory than any other work.
    static func caps(of configuration: ServiceConfiguration) -> ClosedRange<Int> {
        3...max(64, configuration.renditions.cap.footprint.bytes >> 20)
    }

    static func read(
        _ request: Request, _ configuration: ServiceConfiguration
    ) throws(Problem) -> ProcessingSettings {
        var settings = configuration.settings
        try request.checkQuery(["cap", "width", "scale", "preset"])
        let query = request.uri.queryParameters
        if let text = query.get("cap") {
            let caps = caps(of: configuration)
            guard text.hasSuffix("MiB"), let cap = Int(text.dropLast(3)), caps.contains(cap) else {
                throw .invalid("cap", "from \(caps.lowerBound)MiB to \(caps.upperBound)MiB")
            }
            settings.cap = MemoryCap(.mebibytes(cap))
        }
        if let text = query.get("width") {
            guard let width = Int(text), 100...1400 ~= width else {
                throw .invalid("width", "from 100 to 1400 points")
            }
            settings.width = Double(width)
        }
        if let text = query.get("scale") {
            guard let scale = Int(text), 1...3 ~= scale else {
                throw .invalid("scale", "1, 2 or 3")
            }
            settings.scale = Double(scale)
        }
        if let text = query.get("preset") {
            guard let presets = PresetSelection(parsing: text) else {
                throw .invalid("preset", "names separated by commas: \(Preset.names)")
            }
            settings.presets = presets
        }
        return settings
    }
}
