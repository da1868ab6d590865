package import AttachmentContainer
package import Foundation
package import Logging
import ProgramLaunch
package import TransferProtocol
package import WorkerProtocol

/// Exchanges data with servers in a sandboxed process, which is started again when it is lost.
///
/// Each client has a process of its own. Requests with credentials belong in another client than
/// requests to strangers. Ignores `SIGPIPE` for the whole process, because the child may exit while
/// it is sent a message.
package final class TransferClient: Sendable {
    /// Age after which an idle process is replaced, so that a compromised one does not stay and
    /// changed certificate authorities and resolvers are noticed.
    private static let lifetime = Duration.seconds(600)

    private let launch: TransferLaunch
    private let state = Lock(State())

    private struct State {
        var process: TransferProcess?
        /// Replaced processes whose transfers are not over.
        var retired: [TransferProcess] = []
        var isClosed = false
        var started = 0
    }

    /// Creates a client whose process starts with the first transfer.
    ///
    /// - Parameters:
    ///   - configuration: The rights of the process.
    ///   - executable: `thimble-transfer`. The default is the installed one.
    ///   - logger: Receives losses of the process. The default discards them.
    package init(
        _ configuration: TransferConfiguration, executable: URL? = nil,
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) {
        signal(SIGPIPE, SIG_IGN)
        launch = TransferLaunch(
            configuration: configuration,
            executable: executable ?? InstalledProgram.url(named: TransferLaunch.program),
            logger: logger)
    }

    /// Performs one exchange; cancellation ends it.
    ///
    /// - Parameters:
    ///   - request: The exchange. Its number is set here.
    ///   - output: A file, open for writing, for the body of the response.
    ///   - body: The body of the request; nil without one.
    /// - Returns: The response, whatever its status. Its figures come from the process, unchecked.
    /// - Throws: `TransferFailure`, with the code `lost` if the process ends meanwhile.
    package func perform(
        _ request: TransferRequest, to output: OwnedDescriptor, body: OwnedDescriptor? = nil
    ) async throws(TransferFailure) -> TransferResponse {
        let process = try current()
        do throws(TransferFailure) {
            return try await process.perform(request, output, body)
        } catch {
            // It may have been replaced before the transfer reached it.
            guard error.code == .lost, process.isRetired else { throw error }
            return try await current().perform(request, output, body)
        }
    }

    /// Number of processes started so far.
    package var processesStarted: Int { state.withLock { $0.started } }

    /// Number of the running process; nil without one.
    package var processNumber: pid_t? { state.withLock { $0.process }?.number }

    /// Sandbox of the current process; nil before its first transfer.
    package var sandbox: SandboxReport? { state.withLock { $0.process }?.sandbox }

    /// Ends the process; transfers in progress and later ones fail.
    package func close() async {
        let processes = state.withLock { state in
            state.isClosed = true
            defer { (state.process, state.retired) = (nil, []) }
            return state.retired + [state.process].compactMap(\.self)
        }
        for process in processes { await process.end() }
    }

    private func current() throws(TransferFailure) -> TransferProcess {
        guard launch.executable != nil else {
            throw TransferFailure(
                .lost, "there is no program " + InstalledProgram.places(of: TransferLaunch.program),
                remedy: InstalledProgram.remedy)
        }
        let (process, retired) = try state.withLock { state throws(TransferFailure) in
            guard !state.isClosed else { throw TransferFailure(.cancelled, "it was closed") }
            if let process = state.process, !process.isGone, process.age < Self.lifetime {
                return (process, TransferProcess?.none)
            }
            let retired = state.process
            let process = TransferProcess(launch)
            state.process = process
            state.retired.removeAll(where: \.isGone)
            if let retired, !retired.isGone { state.retired.append(retired) }
            state.started += 1
            return (process, retired)
        }
        retired?.retire()
        return process
    }
}
