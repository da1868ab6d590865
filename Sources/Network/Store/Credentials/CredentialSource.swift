import AttachmentContainer
import Foundation

/// Credentials that are read again when a file of profiles changes, because temporary ones expire and
/// others are put in their place.
///
/// A pair of keys in the environment never changes. Credentials that can no longer be read stay those
/// of before, because a file may be replaced in two steps; the server refuses them in time.
final class CredentialSource: Sendable {
    private struct State {
        var found: Result<S3Credentials, StoreError>
        var stamps: [FileStamp?]
        var checked: ContinuousClock.Instant
    }

    /// Shortest time between two looks at the files.
    private static let checkInterval = Duration.seconds(1)

    /// Nil if the environment has keys.
    private let paths: ProfilePaths?
    private let state: Lock<State>

    init(fixed: Result<S3Credentials, StoreError>) {
        paths = nil
        state = Lock(State(found: fixed, stamps: [], checked: .now))
    }

    init(_ paths: ProfilePaths) {
        self.paths = paths
        let stamps = paths.stamps
        state = Lock(State(found: paths.credentials(), stamps: stamps, checked: .now))
    }

    /// The credentials, after at most one look a second at the files.
    func current() throws(StoreError) -> S3Credentials {
        let found = state.withLock { state in
            let now = ContinuousClock.now
            if let paths, state.checked.duration(to: now) >= Self.checkInterval {
                state.checked = now
                let stamps = paths.stamps
                if stamps != state.stamps { read(paths, into: &state, stamps) }
            }
            return state.found
        }
        return try found.get()
    }

    /// Other credentials than those that a server refused; nil if the files have none.
    func replacement(for refused: S3Credentials) -> S3Credentials? {
        guard let paths else { return nil }
        let found = state.withLock { state in
            // The times of files may be coarser than two changes.
            read(paths, into: &state, paths.stamps)
            return try? state.found.get()
        }
        return found == refused ? nil : found
    }

    private func read(
        _ paths: ProfilePaths, into state: inout State, _ stamps: [FileStamp?]
    ) {
        let found = paths.credentials()
        if case .failure = found, case .success = state.found { return }
        state.found = found
        state.stamps = stamps
    }
}

/// The files of profiles, and the profile to read from them.
struct ProfilePaths: Sendable {
    let secrets: String
    let settings: String
    let profile: String
    /// True if the environment names the profile.
    let isNamed: Bool

    /// True if the role of the machine may be used: the profile names no other kind of credentials.
    var allowsRole: Bool {
        guard case .failure = credentials() else { return false }
        let others = [
            "aws_access_key_id", "role_arn", "source_profile", "credential_source",
            "credential_process", "sso_session", "sso_start_url",
        ]
        var hasProfile = false
        for path in [secrets, settings] {
            let values: [String: String]?
            do throws(AWSProfileFile.Failure) {
                values = try AWSProfileFile(path: path)?[profile]
            } catch {
                return false
            }
            guard let values else { continue }
            hasProfile = true
            if others.contains(where: { values[$0] != nil }) { return false }
        }
        return hasProfile || !isNamed
    }

    fileprivate var stamps: [FileStamp?] { [FileStamp(secrets), FileStamp(settings)] }

    fileprivate func credentials() -> Result<S3Credentials, StoreError> {
        var failure: String?
        var hasProfile = false
        for path in [secrets, settings] {
            let values: [String: String]?
            do throws(AWSProfileFile.Failure) {
                values = try AWSProfileFile(path: path)?[profile]
            } catch {
                failure = failure ?? error.reason
                continue
            }
            guard let values else { continue }
            hasProfile = true
            guard let key = values["aws_access_key_id"],
                let secret = values["aws_secret_access_key"]
            else { continue }
            return S3Credentials.checked(key, secret, values["aws_session_token"])
        }
        let reason =
            failure
            ?? (hasProfile
                ? "the profile has no pair of keys"
                : isNamed
                    ? "the profile named by AWS_PROFILE is missing" : "there are no credentials")
        return .failure(StoreError(.credentials, reason: reason))
    }
}

/// Identity, length and time of a file.
private struct FileStamp: Equatable {
    let device: UInt64
    let inode: UInt64
    let bytes: Int64
    let seconds: Int
    let nanoseconds: Int

    /// Nil for a missing file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(status.st_ino)
        bytes = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        seconds = time.tv_sec
        nanoseconds = time.tv_nsec
    }
}
