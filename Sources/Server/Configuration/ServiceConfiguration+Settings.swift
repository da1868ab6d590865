package import AttachmentContainer
import AttachmentFetch
package import AttachmentModel
package import AttachmentStore
package import Logging
import NotificationStaging
import ThimbleOptions

extension ServiceConfiguration {
    /// The settings of renditions, for whatever is uploaded, fetched or named.
    package var settings: ProcessingSettings {
        var settings = renditions
        settings.maximumSourceBytes = max(
            renditions.maximumSourceBytes, maxUploadBytes, fetching.limits.maximumBytes)
        return settings
    }

    /// Seconds for one payload or attachment, from the request's head to the answer.
    package var deadline: Double { payloads.staging.deadline / .seconds(1) }

    /// True if only this machine reaches the service's address.
    package var isLocal: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

    /// Limits on the container and the published objects.
    package func pruning() throws(SettingsError) -> PruningPolicy {
        try PruningPolicy(
            maximumBytes: maxTotal, maximumAge: maxDays.map { .seconds($0 * 86_400) },
            maximumCount: maxCount, keepPublished: .seconds(keepPublished * 86_400))
    }

    /// Credentials, permissions, sandbox and log of the store's transfers.
    package func storeAccess(_ logger: Logger) -> StoreAccess {
        publishing.access.access(workers.sandbox, logger)
    }

    /// Checks rules between fields; ranges of single fields are those of ``ServiceOption``.
    ///
    /// Clients of a fleet need no container.
    package func validate(needsContainer: Bool) throws(ConfigurationError) {
        guard !container.isEmpty || !needsContainer else {
            throw ConfigurationError("container", range: "the folder of a container")
        }
        guard maxDeadline >= deadline else {
            throw ConfigurationError(
                "max-deadline", value: "\(maxDeadline)",
                range: "at least the deadline of \(deadline)")
        }
        guard operationsPort != port || port == 0 || operationsHost != host else {
            throw ConfigurationError(
                "operations-port", value: "\(operationsPort)", range: "different from the port")
        }
        guard !publishing.lacksURL else {
            throw ConfigurationError(
                "publish-url", range: "the URL under which the folder of publish is served")
        }
        do throws(SettingsError) {
            try settings.validate()
            try payloads.staging.validate()
            _ = try fetching.settings()
            _ = try pruning()
        } catch {
            throw ConfigurationError(error.field, range: error.range)
        }
        do throws(StoreError) {
            _ = try publishing.destination(storeAccess(Logger(label: "")))
        } catch {
            throw ConfigurationError(
                "publish", value: publishing.store, range: "a bucket or a folder: \(error.reason)")
        }
    }
}
