package import AttachmentContainer
package import AttachmentFetch

/// Values of the options of fetching.
package struct FetchChoices: OptionTarget {
    /// Everything but the headers, which are in a file.
    package var limits = FetchSettings()
    /// File of headers for hosts that need credentials; empty for none.
    package var headersFile = ""

    package init() {}

    /// Reads the headers, and checks every field.
    package func settings() throws(SettingsError) -> FetchSettings {
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
