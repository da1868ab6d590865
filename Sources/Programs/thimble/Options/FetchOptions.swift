import ArgumentParser
import AttachmentContainer
import AttachmentFetch
import Logging
import ThimbleOptions

/// Options for fetching attachments from URLs, shared by all commands that do.
struct FetchOptions: ParsableArguments {
    @OptionGroup var flags: FetchFlags

    func validate() throws { _ = try settings() }

    /// The validated settings.
    func settings() throws -> FetchSettings {
        let choices = try choices()
        do throws(SettingsError) {
            return try choices.settings()
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func choices() throws(ValidationError) -> FetchChoices {
        var choices = FetchChoices()
        try FetchOption.all.read(flags, .thimble, into: &choices)
        return choices
    }

    /// Creates a fetcher, whose processes start with the first URL.
    func fetcher(_ container: SharedContainer?, _ workers: WorkerOptions) throws
        -> AttachmentFetcher
    {
        try AttachmentFetcher(
            settings: try settings(), container: container, sandbox: try workers.choices().sandbox,
            logger: Logger(label: "thimble"))
    }
}
