import CCurl
import Foundation
import ThimbleBasics
import TransferProtocol
import WorkerProtocol

/// Loads the libraries and enters the sandbox, before any other thread exists.
struct SetUp {
    let addresses: AddressGuard?
    /// File of certificate authorities.
    let authorities: String
    let sandbox: SandboxReport

    /// `descriptors` belong to transfers that are already under way, and to the output.
    init(
        _ configuration: TransferConfiguration, keeping descriptors: [CInt]
    ) throws(Fault) {
        guard configuration.version == TransferConfiguration.version else {
            throw .versions(
                TransferConfiguration.version, of: "thimble-transfer", and: configuration.version)
        }
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            throw .unable("libcurl cannot start", remedy: "install libcurl again")
        }
        // Threads of the resolver. glibc's needs less than 100 kB.
        thimble_curl_set_stacks(256 << 10)
        Self.warmUpResolver()
        addresses = configuration.addresses
        authorities = configuration.authorities ?? Self.systemAuthorities ?? ""
        guard authorities.isEmpty || access(authorities, R_OK) == 0 else {
            throw .unable(
                "the file of certificate authorities cannot be read",
                remedy: "check the path and the permissions of the file (--ca-file)")
        }
        var policy = SandboxPolicy()
        policy.mode = configuration.sandbox
        policy.limits = configuration.limits
        policy.work = .transfers
        policy.descriptors = descriptors
        // DNS over TCP, for answers that do not fit a datagram.
        policy.ports = [53] + (configuration.addresses?.ports ?? []) + configuration.ports
        policy.readablePaths = Self.resolverFiles + [authorities].filter { !$0.isEmpty }
        do throws(SandboxError) {
            sandbox = try Sandbox.enter(policy)
        } catch {
            throw error.fault
        }
    }

    /// Makes glibc load its resolver, as at the first look-up of a name.
    private static func warmUpResolver() {
        var result: UnsafeMutablePointer<addrinfo>?
        if getaddrinfo("localhost", nil, nil, &result) == 0 { freeaddrinfo(result) }
    }

    /// Files that glibc rereads at each look-up of a name (resolv.conf(5), nsswitch.conf(5)).
    private static var resolverFiles: [String] {
        var files = [
            "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf",
            "/etc/host.conf",
        ]
        // Services that replace the file keep it in a folder of their own, such as
        // /run/systemd/resolve. A rule for the file would end with it.
        if let real = realpath("/etc/resolv.conf", nil) {
            defer { free(real) }
            let parts = String(cString: real).split(separator: "/").dropLast()
            if parts.first == "run", parts.count > 1 {
                files.append("/" + parts.joined(separator: "/"))
            }
        }
        return files
    }

    private static var systemAuthorities: String? {
        // Without the file, every TLS handshake fails.
        guard let file = thimble_curl_authorities(), access(file, R_OK) == 0 else { return nil }
        return String(cString: file)
    }
}
