/// A failure in the form in which it crosses every border: processes, machines, reports and logs.
///
/// No border drops a field, replaces a code, or writes another text. The texts contain no identifier, no
/// text of a notification and no credential; whether they may contain a path is the domain's rule.
public struct Fault: Error, Sendable, Hashable, Codable {
    /// The part of the product that failed.
    public let domain: Domain
    /// The kind of failure, stable across releases and unique in its domain.
    public let code: String
    /// The finding, without a full stop.
    public let reason: String
    /// The action that cures this very failure, without a full stop.
    public let remedy: String
    /// Names of the options that change the limit or the rule, such as `max-pixels`.
    public let options: [String]
    private let causes: [Fault]

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - domain: The part of the product that failed.
    ///   - code: The kind of failure.
    ///   - reason: The finding, without a full stop.
    ///   - remedy: The action to take, without a full stop.
    ///   - options: Names of the options that the remedy is about. The default is none.
    ///   - cause: The failure behind this one. The default is nil.
    public init(
        _ domain: Domain, _ code: String, reason: String, remedy: String, options: [String] = [],
        cause: Fault? = nil
    ) {
        self.domain = domain
        self.code = code
        self.reason = reason
        self.remedy = remedy
        self.options = options
        causes = cause.map { [$0] } ?? []
    }

    /// The failure behind this one; nil without one.
    public var cause: Fault? { causes.first }

    /// The same fault with another finding, such as one that names the step.
    package func with(reason: String) -> Fault {
        Fault(domain, code, reason: reason, remedy: remedy, options: options, cause: cause)
    }

    /// The remedy with the command's options, such as `raise the cap (--cap)`.
    package var remedyWithOptions: String {
        options.isEmpty
            ? remedy : "\(remedy) (\(options.map { "--\($0)" }.joined(separator: ", ")))"
    }
}

extension Fault {
    /// A part of the product, for codes that several parts share.
    public struct Domain: Sendable, Hashable, Codable, RawRepresentable {
        /// The name.
        public let rawValue: String

        /// Creates a domain from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Reading, decoding and rendering of an attachment.
        public static let attachment = Self(rawValue: "attachment")
        /// Fetching from a URL.
        public static let fetch = Self(rawValue: "fetch")
        /// Downloading in a service extension.
        public static let download = Self(rawValue: "download")
        /// Authentication and decryption of private pictures.
        public static let decryption = Self(rawValue: "decryption")
        /// Object stores and folders for published renditions.
        public static let store = Self(rawValue: "store")
        /// The shared container.
        public static let container = Self(rawValue: "container")
        /// Payloads of notifications.
        public static let payload = Self(rawValue: "payload")
        /// The pre-delivery stage.
        public static let delivery = Self(rawValue: "delivery")
        /// Values of settings and options.
        public static let settings = Self(rawValue: "settings")
        /// Starting and limiting worker processes.
        public static let workers = Self(rawValue: "workers")
        /// Property lists of apps.
        public static let profile = Self(rawValue: "profile")
        /// The message broker of a fleet.
        public static let broker = Self(rawValue: "broker")
        /// Jobs of a fleet.
        public static let fleet = Self(rawValue: "fleet")
    }
}

extension Fault {
    private enum CodingKeys: String, CodingKey {
        case domain, code, reason, remedy, options
        case causes = "cause"
    }

    /// Decodes a fault; without a domain, it is one of attachments.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try fields.decodeIfPresent(Domain.self, forKey: .domain) ?? .attachment,
            try fields.decode(String.self, forKey: .code),
            reason: try fields.decode(String.self, forKey: .reason),
            remedy: try fields.decode(String.self, forKey: .remedy),
            options: try fields.decodeIfPresent([String].self, forKey: .options) ?? [],
            cause: try fields.decodeIfPresent([Fault].self, forKey: .causes)?.first)
    }

    /// Encodes the fields that have a value.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(domain, forKey: .domain)
        try fields.encode(code, forKey: .code)
        try fields.encode(reason, forKey: .reason)
        try fields.encode(remedy, forKey: .remedy)
        if !options.isEmpty { try fields.encode(options, forKey: .options) }
        if !causes.isEmpty { try fields.encode(causes, forKey: .causes) }
    }
}

extension Fault: CustomStringConvertible {
    /// Reason and remedy, in one line.
    public var description: String { "\(reason); \(remedy)" }
}
