import AttachmentContainer
import AttachmentFetch
import AttachmentPublishing
import Foundation
import NotificationCheck
import ServiceOptions
import ThimbleOptions

/// The file of bearer tokens.
struct TokenCheck: Checking {
    let configuration: ServiceConfiguration

    func diagnoses() async -> [Diagnosis] {
        let path = configuration.tokens
        guard !path.isEmpty else {
            guard !configuration.isLocal else {
                return [.ok("tokens", "none; only this machine reaches \(configuration.host)")]
            }
            return [
                .warning(
                    "tokens", "none, and everyone who reaches \(configuration.host) may use it",
                    remedy: "name a file of tokens with --tokens")
            ]
        }
        do throws(BearerTokens.Failure) {
            let count = try BearerTokens(path: path).count
            return [.ok("tokens", "\(count) in \(path)")]
        } catch {
            return [.failed("tokens", "\(path): \(error.reason)", remedy: error.remedy)]
        }
    }
}

/// Folders that payloads may name files in, headers for hosts, and profiles.
struct FileCheck: Checking {
    let configuration: ServiceConfiguration

    func diagnoses() async -> [Diagnosis] {
        await BlockingWork.run { [self] in
            configuration.payloads.allowedFolders.map(root) + headers() + profiles()
        }
    }

    private func root(_ path: String) -> Diagnosis {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return .failed(
                "allow-root", "\(path): \(String(cString: strerror(errno)))",
                remedy: "create the folder, or correct allow-root")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return .failed(
                "allow-root", "\(path) is no folder", remedy: "name the folder of the files")
        }
        guard access(path, X_OK) == 0 else {
            return .failed(
                "allow-root", "\(path) cannot be entered: \(String(cString: strerror(errno)))",
                remedy: "let the user of the service enter the folder and read its files")
        }
        let (own, root) = (real(configuration.container), real(path))
        guard !own.isPath(within: root) else {
            return .warning(
                "allow-root", "\(path) has the container in it, so payloads may name its files",
                remedy: "allow only the folder of the attachments")
        }
        return .ok("allow-root", "\(path) can be read")
    }

    private func real(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }

    private func headers() -> [Diagnosis] {
        guard !configuration.fetching.headersFile.isEmpty else { return [] }
        do throws(SettingsError) {
            let headers = try configuration.fetching.settings().headers
            return [.ok("fetch-headers", "\(headers) in \(configuration.fetching.headersFile)")]
        } catch {
            return [
                .failed(
                    "fetch-headers", configuration.fetching.headersFile,
                    remedy: "it must be \(error.range)"
                )
            ]
        }
    }

    private func profiles() -> [Diagnosis] {
        guard !configuration.payloads.profiles.isEmpty else { return [] }
        do throws(ProfileError) {
            _ = try configuration.payloads.profileSet()
            return [.ok("profile", configuration.payloads.profiles.joined(separator: ", "))]
        } catch {
            let key = error.key.isEmpty ? "" : ": \(error.key)"
            return [
                .failed(
                    "profile", "\(error.file)\(key): \(error.reason)", remedy: error.fault.remedy)
            ]
        }
    }
}
