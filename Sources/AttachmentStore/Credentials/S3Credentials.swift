/// Keys for a store, which appear in no description, error or log.
public struct S3Credentials: Sendable, Hashable {
    let key: String
    let secret: String
    /// Token of temporary credentials; nil for lasting ones.
    let sessionToken: String?

    /// Creates credentials; nil if a value is empty or cannot be sent.
    public init?(key: String, secret: String, sessionToken: String? = nil) {
        let values = [key, secret] + (sessionToken.map { [$0] } ?? [])
        // Printable ASCII; libcurl separates the key from the secret itself.
        guard
            values.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x21...0x7E ~= $0 } })
        else { return nil }
        self.key = key
        self.secret = secret
        self.sessionToken = sessionToken
    }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of credentials, without any of their values.
    public var description: String {
        sessionToken == nil ? "lasting credentials" : "temporary credentials"
    }

    /// The same as the description.
    public var debugDescription: String { description }

    /// No children, so that no dump shows the values.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
