package import AttachmentContainer
package import AttachmentModel

/// Settings of a job that differ from the workers' settings.
package struct FleetSettings: Codable, Sendable, Hashable {
    /// Names of the surfaces to make renditions for.
    package var presets: [String]?
    /// A cap, such as `12MiB` or `legacy-service-extension`.
    package var cap: String?
    /// Points.
    package var width: Double?
    /// Pixels per point.
    package var scale: Double?
    /// Height divided by width, of a picture that is cropped.
    package var cropRatio: Double?
    /// Replaces a target score of the workers.
    package var quality: Int?
    /// Time spent on shorter JPEGs and palettes.
    package var effort: ProcessingSettings.Effort?
    /// SSIMULACRA2 score of JPEGs; replaces a quality of the workers.
    package var targetScore: Double?
    /// True to reduce stills in linear light.
    package var linear: Bool?
    /// Limit on the decoded rendition, such as `8MiB`.
    package var renderBudget: String?
    /// Limit on the file of a rendition, such as `1MB`.
    package var maxBytes: String?

    package init() {}

    /// The difference of settings from the workers' settings.
    ///
    /// - Throws: `SettingsError` for settings that a job cannot name.
    package init(
        of settings: ProcessingSettings, from standard: ProcessingSettings
    ) throws(SettingsError) {
        if settings.presets != standard.presets { name(settings.presets) }
        if settings.width != standard.width { width = settings.width }
        if settings.scale != standard.scale { scale = settings.scale }
        if settings.cropRatio != standard.cropRatio { cropRatio = settings.cropRatio }
        if let score = settings.targetScore {
            if score != standard.targetScore { targetScore = score }
        } else if settings.quality != standard.quality || standard.targetScore != nil {
            // Replaces the workers' target score, even if it is their quality.
            quality = settings.quality
        }
        if settings.effort != standard.effort { effort = settings.effort }
        if settings.isLinear != standard.isLinear { linear = settings.isLinear }
        if settings.cap != standard.cap { cap = "\(settings.cap.footprint.bytes)" }
        if settings.renderBudget != standard.renderBudget {
            renderBudget = "\(settings.renderBudget.bytes)"
        }
        if settings.maximumBytes != standard.maximumBytes {
            maxBytes = "\(settings.maximumBytes.bytes)"
        }
        guard try self.settings(over: standard) == settings else {
            throw SettingsError(
                field: "profile",
                range: "settings that a job can name: presets, cap, width, scale, ratio, quality, "
                    + "effort, target score, linear light, budget and bytes of a rendition; all "
                    + "others are the workers'")
        }
    }

    /// The settings on top of a worker's settings.
    ///
    /// - Throws: `SettingsError` naming a field that is invalid.
    package func settings(
        over standard: ProcessingSettings
    ) throws(SettingsError) -> ProcessingSettings {
        var settings = standard
        if let presets {
            guard let selection = PresetSelection(parsing: presets.joined(separator: ",")) else {
                throw SettingsError(field: "presets", range: "names of \(Preset.names)")
            }
            settings.presets = selection
        }
        if let cap { settings.cap = try Self.cap(cap, "cap") }
        settings.width = width ?? settings.width
        settings.scale = scale ?? settings.scale
        settings.cropRatio = cropRatio ?? settings.cropRatio
        if quality != nil || targetScore != nil {
            // A target score needs the default quality, as everywhere.
            settings.quality = quality ?? ProcessingSettings().quality
            settings.targetScore = targetScore
        }
        settings.effort = effort ?? settings.effort
        settings.isLinear = linear ?? settings.isLinear
        if let renderBudget {
            settings.renderBudget = try Self.bytes(renderBudget, "renderBudget")
        }
        if let maxBytes { settings.maximumBytes = try Self.bytes(maxBytes, "maxBytes") }
        try settings.validate()
        return settings
    }

    /// Names presets, in the order of their renditions: equal ones give equal jobs.
    package mutating func name(_ selection: PresetSelection) {
        presets = selection.presets.map(\.rawValue)
    }

    private static func cap(_ text: String, _ field: String) throws(SettingsError) -> MemoryCap {
        guard let cap = MemoryCap(parsing: text) else {
            throw SettingsError(field: field, range: "the name of a cap, or bytes such as 12MiB")
        }
        return cap
    }

    private static func bytes(_ text: String, _ field: String) throws(SettingsError) -> ByteCount {
        guard let count = ByteCount(parsing: text) else {
            throw SettingsError(field: field, range: "bytes such as 8MiB")
        }
        return count
    }
}
