public import Foundation

/// Credentials, region and endpoint from the places of AWS's tools: environment variables first,
/// then the files of profiles.
///
/// Without keys there, the role of the service account, the container or the EC2 instance is used. It
/// runs no programs, and knows neither single sign-on nor roles that other keys assume.
public struct AWSConfiguration: Sendable {
    /// The endpoint; nil for the region's endpoint.
    public let endpoint: String?
    /// The region; nil if unknown.
    public let region: String?
    /// File of certificate authorities in PEM; nil for the system's.
    public let authorities: String?
    private let source: CredentialSource
    /// The service that has the credentials; nil if environment or files have them.
    let role: RoleSource?

    /// Reads the environment and the files that it names.
    ///
    /// - Parameter environment: The variables. The default is the process's environment.
    public init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        let variable = { (name: String) in environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let home = variable("HOME") ?? "/"
        let named = variable("AWS_PROFILE") ?? variable("AWS_DEFAULT_PROFILE")
        let paths = ProfilePaths(
            secrets: variable("AWS_SHARED_CREDENTIALS_FILE") ?? "\(home)/.aws/credentials",
            settings: variable("AWS_CONFIG_FILE") ?? "\(home)/.aws/config",
            profile: named ?? "default", isNamed: named != nil)
        // A file that cannot be read has no settings; its credentials tell why.
        let values = (try? AWSProfileFile(path: paths.settings))?[paths.profile] ?? [:]
        endpoint =
            variable("AWS_ENDPOINT_URL_S3") ?? variable("AWS_ENDPOINT_URL")
            ?? values["endpoint_url"]
        region = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? values["region"]
        authorities = variable("AWS_CA_BUNDLE") ?? values["ca_bundle"]
        switch (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY")) {
        case (let key?, let secret?):
            role = nil
            source = CredentialSource(
                fixed: S3Credentials.checked(key, secret, variable("AWS_SESSION_TOKEN")))
        case (nil, nil):
            do throws(StoreError) {
                role = try RoleSource.find(
                    variable, profile: values, hasFault: !paths.allowsRole, region: region)
                source = CredentialSource(paths)
            } catch {
                role = nil
                source = CredentialSource(fixed: .failure(error))
            }
        // A profile's keys in their place might belong to another account.
        default:
            role = nil
            source = CredentialSource(
                fixed: .failure(
                    StoreError(
                        .credentials,
                        reason: "only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set")))
        }
    }

    /// The credentials of environment or files, read again if their file has changed.
    ///
    /// A role's credentials are not among them: only a store requests these, when needed.
    ///
    /// - Throws: `StoreError` if credentials are missing or of an unsupported kind.
    public func credentials() throws(StoreError) -> S3Credentials { try source.current() }

    /// The credentials for requests to a destination, which errors name.
    func credentials(for destination: S3Destination) throws(StoreError) -> S3Credentials {
        do throws(StoreError) {
            return try credentials()
        } catch {
            throw StoreError(
                error.code, destination: destination.description, reason: error.reason)
        }
    }

    /// Credentials in place of the refused ones; nil if the files have no others.
    func replacement(for refused: S3Credentials) -> S3Credentials? {
        source.replacement(for: refused)
    }
}
