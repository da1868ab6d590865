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
        return url.isEmpty ? .none : .container(container, url: url)
    }

    /// Creates the publisher, whose process starts with the first upload; nil without a store.
    func publisher(
        in container: SharedContainer, _ sandbox: SandboxMode
    ) throws(StoreError) -> ObjectPublisher? {
        let access = access.access(sandbox, Logger(label: "thimble"))
        guard let destination = try destination(access) else { return nil }
        var settings = PublishSettings()
        settings.baseURL = url.isEmpty ? nil : url
        return try ObjectPublisher(
            to: destination, in: container, settings: settings, access: access)
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
