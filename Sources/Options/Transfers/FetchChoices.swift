public import AttachmentContainer
public import AttachmentFetch

/// Values of the options of fetching.
public struct FetchChoices: OptionTarget {
    /// Everything but the headers, which are in a file.
    public var limits = FetchSettings()
    /// File of headers for hosts that need credentials; empty for none.
    public var headersFile = ""

    /// Creates the built-in values.
    public init() {}

    /// Reads the headers, and checks every field.
    public func settings() throws(SettingsError) -> FetchSettings {
        var settings = limits
        if !headersFile.isEmpty {
            do throws(SettingsError) {
                settings.headers = try FetchHeaders(file: headersFile)
            } catch {
                throw SettingsError(field: "fetch-headers", range: error.range)
            }
        }
        try settings.validate()
        return settings
    }
}
