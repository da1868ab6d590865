public import Foundation

/// Credentials, region and endpoint from where the clients of AWS look for them: environment variables
/// first, then the files of profiles.
///
/// It does not ask instance metadata services, programs, single sign-on or roles.
public struct AWSConfiguration: Sendable {
    /// The endpoint; nil for that of the region.
    public let endpoint: String?
    /// The region; nil if unknown.
    public let region: String?
    /// File of certificate authorities in PEM; nil for the system's.
    public let authorities: String?
    private let found: Result<S3Credentials, StoreError>

    /// Reads the environment and the files that it names.
    ///
    /// - Parameter environment: The variables. The default is those of the process.
    public init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        let variable = { (name: String) in environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let home = variable("HOME") ?? "/"
        let secrets = AWSProfileFile(
            path: variable("AWS_SHARED_CREDENTIALS_FILE") ?? "\(home)/.aws/credentials")
        let settings = AWSProfileFile(path: variable("AWS_CONFIG_FILE") ?? "\(home)/.aws/config")
        let named = variable("AWS_PROFILE") ?? variable("AWS_DEFAULT_PROFILE")
        let profile = named ?? "default"
        let values = settings?[profile] ?? [:]
        endpoint =
            variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL")
            ?? values["endpoint_url"]
        region = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? values["region"]
        authorities = variable("AWS_CA_BUNDLE") ?? values["ca_bundle"]
        if let key = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") {
            found = Self.credentials(key, secret, variable("AWS_SESSION_TOKEN"))
        } else {
            found = Self.credentials(
                isNamed: named != nil, secrets?[profile], settings?[profile])
        }
    }

    /// The credentials.
    ///
    /// - Throws: `StoreError` if there are none, or only a kind that is not supported.
    public func credentials() throws(StoreError) -> S3Credentials { try found.get() }

    private static func credentials(
        isNamed: Bool, _ secrets: [String: String]?,
        _ settings: [String: String]?
    ) -> Result<S3Credentials, StoreError> {
        for values in [secrets, settings] {
            guard let values, let key = values["aws_access_key_id"],
                let secret = values["aws_secret_access_key"]
            else { continue }
            return credentials(key, secret, values["aws_session_token"])
        }
        let reason =
            if secrets == nil, settings == nil {
                isNamed ? "the profile named by AWS_PROFILE is missing" : "there are no credentials"
            } else {
                "the profile has no pair of keys"
            }
        return .failure(StoreError(.credentials, reason: reason))
    }

    private static func credentials(
        _ key: String, _ secret: String, _ token: String?
    ) -> Result<S3Credentials, StoreError> {
        guard let credentials = S3Credentials(key: key, secret: secret, sessionToken: token) else {
            return .failure(
                StoreError(.credentials, reason: "a key has characters that cannot be sent"))
        }
        return .success(credentials)
    }
}
