import AttachmentContainer
import AttachmentFetch
import Foundation
public import WorkerProtocol

/// The transfer process, its sandbox and the certificate authorities.
public struct FetchCheck: Checking {
    private let fetching: FetchChoices
    private let sandbox: SandboxMode
    private let scratch: ScratchContainer

    /// Checks the transfer process of some options.
    public init(_ fetching: FetchChoices, sandbox: SandboxMode, in scratch: ScratchContainer) {
        (self.fetching, self.sandbox, self.scratch) = (fetching, sandbox, scratch)
    }

    /// Address for documentation (RFC 5737), which the process refuses before it connects.
    private static let refused = "https://192.0.2.1/"
    /// Files of the systems' packages; libcurl's build names one of them.
    private static let systemAuthorities = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/cert.pem",
    ]

    /// The results of the trial.
    public func diagnoses() async -> [Diagnosis] {
        [await BlockingWork.run { [self] in authorities() }] + (await transfer())
    }

    private func authorities() -> Diagnosis {
        let own = fetching.limits.authorities ?? ""
        guard !own.isEmpty else {
            guard let file = Self.systemAuthorities.first(where: { access($0, R_OK) == 0 }) else {
                return .failed(
                    "authorities", "this system has no file of certificate authorities",
                    remedy: "install the package ca-certificates, or name a file with --ca-file")
            }
            return .ok("authorities", file)
        }
        guard let bytes = FileManager.default.contents(atPath: own) else {
            return .failed(
                "authorities", "\(own) cannot be read", remedy: "check its path and permissions")
        }
        guard bytes.firstRange(of: "-----BEGIN CERTIFICATE-----".utf8) != nil else {
            return .failed(
                "authorities", "\(own) has no certificate",
                remedy: "write the certificates of the authorities in PEM")
        }
        return .ok("authorities", own)
    }

    private func transfer() async -> [Diagnosis] {
        let fetcher: AttachmentFetcher
        do {
            var settings = try fetching.settings()
            // Whatever the operator allows, the address must be refused.
            (settings.allowedNetworks, settings.allowedHosts) = ([], [])
            settings.usesEnvironmentProxy = false
            fetcher = try AttachmentFetcher(
                settings: settings, container: scratch.container,
                sandbox: sandbox)
        } catch {
            return [.failed("fetch", "\(error)", remedy: "correct the option")]
        }
        let result: Diagnosis
        do throws(FetchError) {
            _ = try await fetcher.fetch(Self.refused)
            result = .failed(
                "fetch", "an address that must be refused was contacted", remedy: "report this")
        } catch  where error.code == .refusedAddress {
            result = .ok("fetch", "thimble-transfer starts, and refuses forbidden addresses")
        } catch {
            result = .failed("fetch", error.reason, remedy: error.fault.remedy)
        }
        let sandboxes = fetcher.sandboxes.map { Diagnosis.sandbox(of: "thimble-transfer", $0) }
        await fetcher.close()
        return [result] + sandboxes
    }
}
