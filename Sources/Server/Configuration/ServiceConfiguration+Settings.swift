package import AttachmentContainer
package import AttachmentFetch
package import AttachmentModel
package import AttachmentStore
package import Logging
package import NotificationStaging

extension ServiceConfiguration {
    /// The settings of the renditions.
    package var settings: ProcessingSettings {
        var settings = ProcessingSettings()
        settings.cap = cap
        settings.presets = preset
        settings.width = width
        settings.scale = scale
        settings.renderBudget = renderBudget
        settings.quality = quality
        settings.maximumBytes = maxBytes
        settings.maximumSourceBytes = max(maxUploadBytes, maxFetchBytes)
        return settings
    }

    /// Keys, limits and time of the stage for payloads.
    package var staging: StagingSettings {
        var staging = StagingSettings()
        staging.payloadStyle = payloadStyle
        staging.addsNote = note.isYes
        staging.notePath = noteKey
        staging.payloadLimit = payloadLimit
        staging.manifestPerNotification = manifestPerNotification.isYes
        staging.deadline = .seconds(deadline)
        return staging
    }

    /// Limits on fetching, and the servers that may be contacted.
    package func fetching() throws(SettingsError) -> FetchSettings {
        var settings = FetchSettings()
        settings.allowedNetworks = allowNetwork
        settings.allowedHosts = Set(allowHost.map { $0.lowercased() })
        settings.allowedPorts = allowPort
        settings.allowsInsecureTransfer = allowHttp.isYes
        settings.usesEnvironmentProxy = proxyFromEnvironment.isYes
        settings.maximumBytes = maxFetchBytes
        settings.timeout = .seconds(fetchTimeout)
        settings.connectTimeout = .seconds(connectTimeout)
        settings.maximumTransfers = maxFetches
        settings.maximumCacheBytes = maxFetchCache
        settings.authorities = caFile.isEmpty ? nil : caFile
        if !fetchHeaders.isEmpty {
            do throws(SettingsError) {
                settings.headers = try FetchHeaders(file: fetchHeaders)
            } catch {
                throw SettingsError(field: "fetch-headers", range: error.range)
            }
        }
        return settings
    }

    /// True if only this machine reaches the service's address.
    package var isLocal: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

    /// Limits on the container and the published objects.
    package func pruning() throws(SettingsError) -> PruningPolicy {
        try PruningPolicy(
            maximumBytes: maxTotal, maximumAge: maxDays.map { .seconds($0 * 86_400) },
            maximumCount: maxCount, keepPublished: .seconds(keepPublished * 86_400))
    }

    /// Permissions, sandbox and log of the store's transfers.
    package func storeAccess(_ logger: Logger) -> StoreAccess {
        var access = StoreAccess(logger: logger)
        access.folderMode = publishMode
        access.sandbox = sandbox
        return access
    }

    /// The bucket or folder for renditions; nil to publish none.
    package func destination(_ access: StoreAccess) throws(StoreError) -> StoreDestination? {
        guard !publish.isEmpty else { return nil }
        var settings = S3Settings()
        settings.endpoint = s3Endpoint.isEmpty ? nil : s3Endpoint
        settings.region = s3Region.isEmpty ? nil : s3Region
        settings.usesPathStyle = s3PathStyle.isYes
        return try StoreDestination(publish, settings, access.configuration)
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
        guard publish.isEmpty || publish.hasPrefix("s3:") || !publishURL.isEmpty else {
            throw ConfigurationError(
                "publish-url", range: "the URL under which the folder of publish is served")
        }
        do throws(SettingsError) {
            try settings.validate()
            try staging.validate()
            try fetching().validate()
            _ = try pruning()
        } catch {
            throw ConfigurationError(error.field, range: error.range)
        }
        do throws(StoreError) {
            _ = try destination(StoreAccess())
        } catch {
            throw ConfigurationError(
                "publish", value: publish, range: "a bucket or a folder: \(error.reason)")
        }
    }
}
