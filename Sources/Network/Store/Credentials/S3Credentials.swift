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

    /// Creates credentials, or tells what is wrong with them.
    static func checked(
        _ key: String, _ secret: String, _ token: String?
    ) -> Result<S3Credentials, StoreError> {
        guard let credentials = S3Credentials(key: key, secret: secret, sessionToken: token) else {
            return .failure(
                StoreError(.credentials, reason: "a key has characters that cannot be sent"))
        }
        return .success(credentials)
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
