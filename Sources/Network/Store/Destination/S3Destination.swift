/// Endpoint, region and addressing of a store; nil takes the value from the configuration.
public struct S3Settings: Sendable, Hashable {
    /// URL of the server, such as `https://minio.example:9000`.
    public var endpoint: String?
    /// Region of the bucket.
    public var region: String?
    /// True to write the bucket into the path of URLs, false to write it into the host's name.
    ///
    /// The default is nil: into the path for endpoints that are addresses, and for buckets with full
    /// stops, which no wildcard certificate covers.
    public var usesPathStyle: Bool?

    /// Creates settings without values.
    public init() {}
}

/// A prefix in a bucket of an S3-compatible store.
public struct S3Destination: Sendable, Hashable {
    /// The bucket's name.
    public let bucket: String
    /// The beginning of all keys, without slashes at its ends; may be empty.
    public let prefix: String
    /// The region.
    public let region: String
    let endpoint: S3Endpoint
    let usesPathStyle: Bool

    /// Reads `s3://BUCKET/PREFIX`.
    init(
        _ text: String, _ settings: S3Settings, _ configuration: AWSConfiguration
    ) throws(StoreError) {
        guard text.hasPrefix("s3://") else {
            throw StoreError(
                .invalidDestination, destination: text, reason: "the URL does not begin with s3://")
        }
        let parts = text.dropFirst(5).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let bucket = String(parts.first ?? "")
        let custom = settings.endpoint ?? configuration.endpoint
        guard
            let region = settings.region ?? configuration.region
                ?? (custom == nil ? nil : "us-east-1")
        else {
            throw StoreError(.region, destination: text, reason: "the region is unknown")
        }
        guard !region.isEmpty, region.utf8.allSatisfy(Self.isInRegion) else {
            throw StoreError(.region, destination: text, reason: "the region's name is invalid")
        }
        let endpoint = try S3Endpoint(custom ?? Self.standardEndpoint(in: region))
        try self.init(
            bucket: bucket, prefix: parts.count > 1 ? String(parts[1]) : "", endpoint: endpoint,
            region: region,
            usesPathStyle: settings.usesPathStyle
                ?? (endpoint.isAddress || bucket.contains("." as Character)))
    }

    init(
        bucket: String, prefix: String, endpoint: S3Endpoint, region: String, usesPathStyle: Bool
    ) throws(StoreError) {
        let text = "s3://\(bucket)/\(prefix)"
        guard 3...63 ~= bucket.utf8.count, bucket.utf8.allSatisfy(Self.isInBucket) else {
            throw StoreError(
                .invalidDestination, destination: text,
                reason:
                    "a bucket's name has 3 to 63 lowercase letters, digits, hyphens and "
                    + "full stops")
        }
        let parts = prefix.split(separator: "/", omittingEmptySubsequences: false)
        let trimmed = parts.drop { $0.isEmpty }.reversed().drop { $0.isEmpty }.reversed()
        guard prefix.utf8.count <= 512, prefix.utf8.allSatisfy(Self.isInPrefix),
            // Clients and servers disagree about such keys, and web servers change them.
            trimmed.allSatisfy({ !["", ".", ".."].contains($0) })
        else {
            throw StoreError(
                .invalidDestination, destination: text,
                reason: "a prefix has at most 512 letters, digits and characters of -._~/ "
                    + "without empty parts")
        }
        self.bucket = bucket
        self.prefix = trimmed.joined(separator: "/")
        self.endpoint = endpoint
        self.region = region
        self.usesPathStyle = usesPathStyle
    }

    var identity: String { "s3\n\(endpoint.text)\n\(bucket)\n\(prefix)" }

    func url(of file: String) -> String {
        let key = prefix.isEmpty ? file : "\(prefix)/\(file)"
        return usesPathStyle
            ? "\(endpoint.text)/\(bucket)/\(key)"
            : "\(endpoint.scheme)://\(bucket).\(endpoint.authority)/\(key)"
    }

    private static func standardEndpoint(in region: String) -> String {
        "https://s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
    }

    private static func isInBucket(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-.".utf8.contains(character)
        }
    }

    private static func isInRegion(_ character: UInt8) -> Bool {
        isInBucket(character) && character != UInt8(ascii: ".")
    }

    /// Unreserved characters of URLs, which no signature encodes differently (RFC 3986, section 2.3).
    private static func isInPrefix(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: isInBucket(character) || "_~/".utf8.contains(character)
        }
    }
}

extension S3Destination: CustomStringConvertible {
    /// `s3://BUCKET/PREFIX`.
    public var description: String {
        prefix.isEmpty ? "s3://\(bucket)" : "s3://\(bucket)/\(prefix)"
    }
}
