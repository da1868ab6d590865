import AttachmentContainer
import Foundation
import TransferProtocol

/// Options for fetching and publishing, with the names of those of `thimble`.
extension ServiceOption {
    static let fetching: [ServiceOption] = [
        fetch, allowNetwork, allowHost, allowPort, allowHttp, fetchHeaders, caFile,
        proxyFromEnvironment, maxFetchBytes, fetchTimeout, connectTimeout, maxFetches,
        maxFetchCache,
    ]
    static let publishing: [ServiceOption] = [
        publish, publishURL, s3Endpoint, s3Region, s3PathStyle, publishMode,
    ]

    static let fetch: ServiceOption = .choice(
        "fetch", \.fetch, \.fetch, "Fetch pictures and attachments that URLs name.")
    static let allowNetwork: ServiceOption = .list(
        "allow-network", \.allowNetwork, \.allowNetwork, separator: ",",
        "ranges of addresses such as 10.0.0.0/8",
        "Addresses to allow although they are not public, separated by commas.",
        valueName: "cidrs"
    ) { AddressRange($0) }
    static let allowHost: ServiceOption = .list(
        "allow-host", \.allowHost, \.allowHost, separator: ",", "names of hosts",
        "Hosts whose addresses may be in the local network, separated by commas.",
        valueName: "names"
    ) { $0 }
    static let allowPort: ServiceOption = .list(
        "allow-port", \.allowPort, \.allowPort, separator: ",", "ports",
        "Ports to allow besides 443, and 80 with http, separated by commas.", valueName: "ports"
    ) { UInt16($0) }
    static let allowHttp: ServiceOption = .choice(
        "allow-http", \.allowHttp, \.allowHttp,
        "Allow http URLs, which others can read and change in transit.")
    static let fetchHeaders: ServiceOption = .text(
        "fetch-headers", \.fetchHeaders, \.fetchHeaders, "a file that others cannot read",
        "File of headers for hosts that need credentials; a redirection by another host gets none.",
        valueName: "file")
    static let caFile: ServiceOption = .text(
        "ca-file", \.caFile, \.caFile, "a file",
        "File of certificate authorities in PEM, in place of the system's.", valueName: "file")
    static let proxyFromEnvironment: ServiceOption = .choice(
        "proxy-from-environment", \.proxyFromEnvironment, \.proxyFromEnvironment,
        "Use the proxy that https_proxy, http_proxy and no_proxy name.")
    static let maxFetchBytes: ServiceOption = .bytes(
        "max-fetch-bytes", \.maxFetchBytes, \.maxFetchBytes,
        ByteCount(1)...ByteCount(2_000_000_000), "Maximum length of a fetched file.")
    static let fetchTimeout: ServiceOption = .number(
        "fetch-timeout", \.fetchTimeout, \.fetchTimeout, 0.01...3600, unit: "seconds",
        "Time for fetching one file.")
    static let connectTimeout: ServiceOption = .number(
        "connect-timeout", \.connectTimeout, \.connectTimeout, 0.01...3600, unit: "seconds",
        "Time for one connection.")
    static let maxFetches: ServiceOption = .count(
        "max-fetches", \.maxFetches, \.maxFetches, 1...256,
        "Maximum number of transfers at once; further ones wait.")
    static let maxFetchCache: ServiceOption = .bytes(
        "max-fetch-cache", \.maxFetchCache, \.maxFetchCache, ByteCount(0)...ByteCount(1 << 50),
        "Maximum length of the fetched files that the container keeps.")

    static let publish: ServiceOption = .text(
        "publish", \.publish, \.publish, "s3://BUCKET/PREFIX or a folder",
        "Store for the renditions that payloads name; by default this service itself.",
        valueName: "store")
    static let publishURL: ServiceOption = ServiceOption(
        "publish-url", \.publishUrl, \.publishURL, "an http or https URL",
        "URL of the store, or of /v1/renditions, as phones reach it; locations in payloads "
            + "change to it.",
        valueName: "url",
        parse: { $0.isEmpty || $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil })
    static let s3Endpoint: ServiceOption = .text(
        "s3-endpoint", \.s3Endpoint, \.s3Endpoint, "a URL",
        "S3-compatible server; by default as for the tools of AWS.", valueName: "url")
    static let s3Region: ServiceOption = .text(
        "s3-region", \.s3Region, \.s3Region, "a region",
        "Region of the bucket; by default as for the tools of AWS.", valueName: "region")
    static let s3PathStyle: ServiceOption = .choice(
        "s3-path-style", \.s3PathStyle, \.s3PathStyle,
        "Write the bucket into the path of URLs; auto does for servers that are addresses.")
    static let publishMode: ServiceOption = ServiceOption(
        "publish-mode", \.publishMode, \.publishMode, "permissions in octal, such as 644",
        "Permissions of files in a folder of publish.", valueName: "bits",
        parse: { ContainerMode(octal: $0)?.description })
}
