import Foundation

/// A service that gives out temporary credentials of a role.
enum RoleSource: Sendable, Hashable {
    /// AWS STS, for the token of an identity provider in a file, as for service accounts of Kubernetes.
    case webIdentity(endpoint: String, role: String, session: String, tokenFile: String)
    /// The agent of Amazon ECS or EKS; the authorisation is a text or a file.
    case container(url: String, authorization: String?, authorizationFile: String?)
    /// The instance metadata service of Amazon EC2, version 2.
    case instance(endpoint: String)

    /// Addresses to which AWS's tools send credentials without TLS, besides loopback: the agents of
    /// ECS and EKS.
    private static let agents: Set = ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]

    /// The service that the environment or the profile names; nil without one.
    ///
    /// `hasFault` is true if the profile names another kind of credentials, or cannot be read: the
    /// role of the machine might be another account's.
    static func find(
        _ variable: (String) -> String?, profile: [String: String], hasFault: Bool,
        region: String?
    ) throws(StoreError) -> RoleSource? {
        let pairs = [
            (variable("AWS_WEB_IDENTITY_TOKEN_FILE"), variable("AWS_ROLE_ARN")),
            (profile["web_identity_token_file"], profile["role_arn"]),
        ]
        for case (let file?, let role?) in pairs {
            let session = variable("AWS_ROLE_SESSION_NAME") ?? profile["role_session_name"]
            return .webIdentity(
                endpoint: variable("AWS_ENDPOINT_URL_STS") ?? securityTokenService(in: region),
                role: role, session: session ?? "thimble", tokenFile: file)
        }
        guard !hasFault else { return nil }
        if let url = try containerURL(variable) {
            return .container(
                url: url, authorization: variable("AWS_CONTAINER_AUTHORIZATION_TOKEN"),
                authorizationFile: variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"))
        }
        let endpoint = variable("AWS_EC2_METADATA_SERVICE_ENDPOINT")
        guard variable("AWS_EC2_METADATA_DISABLED")?.lowercased() != "true",
            endpoint != nil || isInstance
        else { return nil }
        let text = endpoint ?? "http://169.254.169.254"
        return .instance(endpoint: text.hasSuffix("/") ? String(text.dropLast()) : text)
    }

    private static func securityTokenService(in region: String?) -> String {
        guard let region else { return "https://sts.amazonaws.com" }
        let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        return "https://sts.\(region).\(domain)"
    }

    private static func containerURL(
        _ variable: (String) -> String?
    ) throws(StoreError) -> String? {
        if let path = variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") {
            // Any other beginning would change the host.
            guard path.hasPrefix("/") else {
                throw StoreError(
                    .credentials,
                    reason: "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI does not begin with a slash")
            }
            return "http://169.254.170.2" + path
        }
        guard let text = variable("AWS_CONTAINER_CREDENTIALS_FULL_URI") else { return nil }
        let url = URLComponents(string: text)
        let host = url?.host?.lowercased() ?? ""
        let isLocal = ["localhost", "::1", "[::1]"].contains(host) || host.hasPrefix("127.")
        let isAgent = agents.contains(host) || agents.contains("[\(host)]")
        guard url?.scheme == "https" || url?.scheme == "http" && (isLocal || isAgent) else {
            throw StoreError(
                .credentials,
                reason: "AWS_CONTAINER_CREDENTIALS_FULL_URI is neither https nor a local address")
        }
        return text
    }

    /// True on a machine of EC2; nobody else's metadata service is asked.
    private static var isInstance: Bool {
        let marks = [
            ("/sys/class/dmi/id/sys_vendor", "amazon ec2"), ("/sys/hypervisor/uuid", "ec2"),
        ]
        return marks.contains { path, mark in
            let text = try? String(contentsOfFile: path, encoding: .utf8)
            return text?.lowercased().hasPrefix(mark) == true
        }
    }

    /// The URL of the service.
    var url: String {
        switch self {
        case .webIdentity(let endpoint, _, _, _), .instance(let endpoint): endpoint
        case .container(let url, _, _): url
        }
    }

    /// The service, for messages.
    var name: String {
        switch self {
        case .webIdentity: "the security token service"
        case .container: "the container's agent"
        case .instance: "the instance metadata service"
        }
    }
}
