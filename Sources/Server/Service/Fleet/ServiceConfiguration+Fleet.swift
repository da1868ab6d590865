import AttachmentFetch
package import AttachmentContainer
package import AttachmentFleet
import AttachmentModel
package import AttachmentStore
import AttachmentWorker
import Foundation
package import JobBroker
package import Logging
package import ServiceOptions

extension ServiceConfiguration {
    /// Nodes and queues of the broker.
    package func brokerSettings() throws(ConfigurationError) -> BrokerSettings {
        let nodes = broker.compactMap { BrokerSettings.Node($0) }
        guard !nodes.isEmpty, nodes.count == broker.count else {
            // The URLs have passwords.
            throw ConfigurationError(
                "broker", range: "URLs such as amqp://user:password@host:5672, one for each node")
        }
        var settings = BrokerSettings(nodes: nodes)
        settings.prefix = queuePrefix
        settings.maximumLength = maxJobs
        settings.authorities = fetching.limits.authorities
        return settings
    }

    /// Files of the fleet's store; `folder` is for unnamed files.
    package func objectFiles(
        in folder: String, jobs: Int, _ logger: Logger
    ) throws -> ObjectFiles {
        let access = storeAccess(logger)
        guard let destination = try publishing.destination(access) else {
            throw ConfigurationError("publish", range: "the store of the fleet")
        }
        // A job stores up to three renditions at once, while others begin and end.
        return try ObjectFiles(
            in: destination, folder: folder, maximumRequests: 4 * jobs + 2,
            maximumBytes: settings.maximumSourceBytes, baseURL: publishing.publicURL, access: access
        )
    }

    /// Settings of submitted jobs: the difference from the defaults, on top of the workers'
    /// settings.
    ///
    /// - Throws: `SettingsError` for settings that a job cannot name.
    package func jobSettings() throws(SettingsError) -> FleetSettings {
        let standard = Self().settings
        var settings = settings
        // Each machine limits what it reads itself.
        settings.maximumSourceBytes = standard.maximumSourceBytes
        return try FleetSettings(of: settings, from: standard)
    }

    /// The number of attachments processed at once.
    var jobCount: Int { WorkerOption.jobCount(jobs, under: renditions.cap) }
}

extension Logger {
    /// Logger for libraries, limited to errors, because their messages are not made for this log.
    var quiet: Logger {
        var logger = self
        logger.logLevel = .error
        return logger
    }
}
