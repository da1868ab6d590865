public import AttachmentContainer
import Foundation

/// Headers with credentials, each for one host.
///
/// They are sent over `https` only, unless `http` is allowed, and only to the host of the URL itself:
/// never to a host that another one redirects to, not even back to the first. They appear in no
/// description, error or log.
public struct FetchHeaders: Sendable, Hashable {
    private var values: [String: [String: String]] = [:]

    /// Creates a set without headers.
    public init() {}

    /// Creates a set from hosts, `NAME` or `NAME:PORT`, with the values of their headers by name.
    ///
    /// - Throws: `SettingsError` for a host or a header that cannot be sent.
    public init(_ values: [String: [String: String]]) throws(SettingsError) {
        for (host, headers) in values {
            let name = host.lowercased()
            try SettingsError.check(
                (try? RemoteLocation("https://\(name)/"))?.authority == name, "headers",
                "by hosts, such as media.example.com or media.example.com:8443")
            for (header, value) in headers {
                try SettingsError.check(
                    Self.isAllowed(header, value), "headers",
                    "names and values as in RFC 9110, and none that a transfer sets itself")
            }
            self.values[name] = headers
        }
    }

    /// Reads a JSON file: `{"HOST": {"HEADER": "VALUE"}}`.
    ///
    /// - Parameter file: The file's path. Group and others must have no access to it.
    /// - Throws: `SettingsError` for a file that is missing, open to others, or invalid.
    public init(file: String) throws(SettingsError) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        try SettingsError.check(descriptor >= 0, "headers", "in a file that can be read")
        defer { close(descriptor) }
        var status = stat()
        try SettingsError.check(
            fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
                && status.st_mode & 0o077 == 0, "headers",
            "in a file that only its owner can access: chmod 600")
        var bytes = Data(count: Self.ceiling)
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard 0..<Self.ceiling ~= count,
            let values = try? JSONDecoder().decode(
                [String: [String: String]].self, from: bytes.prefix(count))
        else { throw SettingsError(field: "headers", range: "JSON: host, header, value") }
        try self.init(values)
    }

    private static let ceiling = 1 << 20

    /// The headers for a location, and nothing for any other host or port.
    func headers(for location: RemoteLocation) -> [String: String] {
        values[location.authority] ?? [:]
    }

    /// The distinction between responses to different credentials in the cache.
    func identity(for location: RemoteLocation) -> String {
        headers(for: location).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            .joined(separator: "\n")
    }

    private static func isAllowed(_ name: String, _ value: String) -> Bool {
        let reserved: Set = [
            "accept-encoding", "connection", "content-length", "expect", "host",
            "if-modified-since",
            "if-none-match", "range", "te", "transfer-encoding", "upgrade",
        ]
        let isToken =
            !name.isEmpty
            && name.utf8.allSatisfy {
                // RFC 9110, section 5.6.2.
                $0 > 0x20 && $0 < 0x7F && !#""(),/:;<=>?@[\]{}"#.utf8.contains($0)
            }
        return isToken && !reserved.contains(name.lowercased()) && isFieldValue(value)
    }

    /// True for a text that stays within its line (RFC 9110, section 5.5).
    static func isFieldValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}

extension FetchHeaders: CustomStringConvertible {
    /// The number of hosts, without names and values.
    public var description: String { "headers for \(values.count) hosts" }
}
