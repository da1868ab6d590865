public import ArgumentParser
import AttachmentContainer
import AttachmentFetch
import Logging
public import TransferProtocol
import WorkerProtocol

/// Options for fetching attachments from URLs, shared by all commands that do.
struct FetchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Addresses to allow although they are not public, such as 10.0.0.0/8; may be repeated.",
            valueName: "cidr"))
    var allowNetwork = Default.allowNetwork.value.values

    @Option(
        help: ArgumentHelp(
            "Host whose addresses may be in the local network; may be repeated.",
            valueName: "name"))
    var allowHost = Default.allowHost.value.values

    @Option(
        help: ArgumentHelp(
            "Port to allow besides 443, and 80 with http; may be repeated.", valueName: "port"))
    var allowPort = Default.allowPort.value.values

    @Flag(
        inversion: .prefixedNo,
        help: "Allow http URLs, which others can read and change in transit.")
    var allowHttp = Default.allowHttp.value.isYes

    @Option(
        help: ArgumentHelp(
            "File of headers for hosts that need credentials.",
            discussion:
                #"JSON such as {"media.example.com": {"Authorization": "Bearer …"}}. A header is "#
                + "sent to exactly that host, if the URL names it: a redirection by another host gets "
                + "none. Only the file's owner may have access to it.",
            valueName: "file"),
        completion: .file())
    var fetchHeaders: String?

    @Option(
        help: ArgumentHelp(
            "File of certificate authorities in PEM, in place of the system's.", valueName: "file"),
        completion: .file())
    var caFile: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Use the proxy that https_proxy, http_proxy and no_proxy name.")
    var proxyFromEnvironment = Default.proxyFromEnvironment.value.isYes

    @Option(help: ArgumentHelp("Maximum length of a fetched file.", valueName: "bytes"))
    var maxFetchBytes = Default.maxFetchBytes.value

    @Option(
        help: ArgumentHelp("Time limit for one file, redirections included.", valueName: "seconds"))
    var fetchTimeout = Default.fetchTimeout.value

    @Option(
        help: ArgumentHelp(
            "Time limit for a name, a connection and a TLS handshake.", valueName: "seconds"))
    var connectTimeout = Default.connectTimeout.value

    @Option(help: ArgumentHelp("Maximum number of transfers at once.", valueName: "count"))
    var maxFetches = Default.maxFetches.value

    @Option(
        help: ArgumentHelp(
            "Maximum total length of the fetched files that the container keeps.",
            valueName: "bytes"))
    var maxFetchCache = Default.maxFetchCache.value

    /// Defaults, which the environment may override.
    private enum Default {
        static let settings = FetchSettings()
        static let allowNetwork = EnvironmentDefault("allow-network", ValueList<AddressRange>())
        static let allowHost = EnvironmentDefault("allow-host", ValueList<String>())
        static let allowPort = EnvironmentDefault("allow-port", ValueList<UInt16>())
        static let allowHttp = EnvironmentDefault("allow-http", Answer.no)
        static let fetchHeaders = EnvironmentDefault("fetch-headers", "")
        static let caFile = EnvironmentDefault("ca-file", "")
        static let proxyFromEnvironment = EnvironmentDefault("proxy-from-environment", Answer.no)
        static let maxFetchBytes = EnvironmentDefault("max-fetch-bytes", settings.maximumBytes)
        static let fetchTimeout = EnvironmentDefault(
            "fetch-timeout", settings.timeout / .seconds(1))
        static let connectTimeout = EnvironmentDefault(
            "connect-timeout", settings.connectTimeout / .seconds(1))
        static let maxFetches = EnvironmentDefault("max-fetches", settings.maximumTransfers)
        static let maxFetchCache = EnvironmentDefault(
            "max-fetch-cache", settings.maximumCacheBytes)

        static let all: [any EnvironmentChecking] = [
            allowNetwork, allowHost, allowPort, allowHttp, fetchHeaders, caFile,
            proxyFromEnvironment, maxFetchBytes, fetchTimeout, connectTimeout, maxFetches,
            maxFetchCache,
        ]
    }

    func validate() throws {
        for value in Default.all { try value.check() }
        guard abs(fetchTimeout) < 1e6, abs(connectTimeout) < 1e6 else {
            throw ValidationError("--fetch-timeout and --connect-timeout are out of range")
        }
        _ = try settings()
    }

    /// The validated settings.
    func settings() throws -> FetchSettings {
        var settings = FetchSettings()
        settings.allowedNetworks = allowNetwork
        settings.allowedHosts = Set(allowHost.map { $0.lowercased() })
        settings.allowedPorts = allowPort
        settings.allowsInsecureTransfer = allowHttp
        settings.usesEnvironmentProxy = proxyFromEnvironment
        settings.maximumBytes = maxFetchBytes
        settings.timeout = .seconds(fetchTimeout)
        settings.connectTimeout = .seconds(connectTimeout)
        settings.maximumTransfers = maxFetches
        settings.maximumCacheBytes = maxFetchCache
        let authorities = caFile ?? Default.caFile.value
        settings.authorities = authorities.isEmpty ? nil : authorities
        do throws(SettingsError) {
            let headers = fetchHeaders ?? Default.fetchHeaders.value
            if !headers.isEmpty { settings.headers = try FetchHeaders(file: headers) }
            try settings.validate()
        } catch {
            throw ValidationError("\(error)")
        }
        return settings
    }

    /// Creates a fetcher, whose processes start with the first URL.
    func fetcher(_ container: SharedContainer?, _ workers: WorkerOptions) throws
        -> AttachmentFetcher
    {
        try AttachmentFetcher(
            settings: try settings(), container: container, sandbox: workers.sandbox,
            logger: Logger(label: "thimble"))
    }
}

/// Values separated by commas, as an environment variable has them.
struct ValueList<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
    let values: [Value]

    init() { values = [] }

    init?(argument: String) {
        let parts = argument.split(separator: ",")
        values = parts.compactMap { Value(argument: String($0.trimmingPrefix(" "))) }
        guard values.count == parts.count else { return nil }
    }
}

extension AddressRange: ExpressibleByArgument {
    /// Reads CIDR notation.
    ///
    /// - Parameter argument: Text from the command line.
    public init?(argument: String) { self.init(argument) }

    /// The value as the help shows it.
    public var defaultValueDescription: String { description }
}
