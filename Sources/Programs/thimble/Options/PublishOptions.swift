import ArgumentParser
import AttachmentContainer
import AttachmentStore
import Logging
import NotificationStaging
import ThimbleOptions
import WorkerProtocol

/// Options for publishing renditions where devices can reach them.
struct PublishOptions: ParsableArguments {
    @OptionGroup var flags: StoreFlags

    func validate() throws {
        guard flags.publish?.isEmpty != true else {
            throw ValidationError("--publish must name a bucket or a folder")
        }
        _ = try choices()
    }

    func choices() throws(ValidationError) -> StoreChoices {
        var choices = StoreChoices()
        try StoreOption.all.read(flags, .thimble, into: &choices)
        return choices
    }

    /// Refuses a folder whose URL no device could open.
    func requireReachableURL() throws {
        guard try choices().lacksURL else { return }
        throw ValidationError(
            "--publish with a folder needs --publish-url: the URL under which the folder is served")
    }
}

extension StoreChoices {
    /// The place from which devices get the renditions.
    func place(_ publisher: ObjectPublisher?, in container: SharedContainer) -> RenditionPublishing
    {
        if let publisher { return .store(publisher) }
        return publicURL.map { .container(container, url: $0) } ?? .none
    }
}

/// Options for the connection to a store.
struct StoreOptions: ParsableArguments {
    @OptionGroup var flags: StoreAccessFlags

    func validate() throws { _ = try choices() }

    func choices() throws(ValidationError) -> StoreAccessChoices {
        var choices = StoreAccessChoices()
        try StoreOption.access.read(flags, .thimble, into: &choices)
        return choices
    }

    /// Access with the sandbox of the environment.
    func access() throws(ValidationError) -> StoreAccess {
        try choices().access(WorkerOptions.choices(nil).sandbox, Logger(label: "thimble"))
    }
}
