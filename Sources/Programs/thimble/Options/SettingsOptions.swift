import ArgumentParser
import AttachmentModel
import ThimbleOptions

/// Settings of renditions, shared by all commands that make them.
struct SettingsOptions: ParsableArguments {
    @OptionGroup var flags: RenditionFlags

    /// The validated settings.
    func settings() throws -> ProcessingSettings {
        let settings = try Self.settings(flags)
        do {
            try settings.validate()
        } catch {
            throw ValidationError("\(error)")
        }
        return settings
    }

    /// The settings of the command line and the environment; nil flags before the former is parsed.
    static func settings(_ flags: RenditionFlags?) throws(ValidationError) -> ProcessingSettings {
        var settings = ProcessingSettings()
        try RenditionOption.all.read(flags, .thimble, into: &settings)
        return settings
    }

    func validate() throws { _ = try settings() }
}

extension OptionEnvironment {
    /// The variables of `thimble`.
    static let thimble = OptionEnvironment(prefix: "THIMBLE_")
}
