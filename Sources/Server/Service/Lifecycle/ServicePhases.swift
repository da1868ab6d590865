import AttachmentContainer
import Logging
import ServiceLifecycle
import UnixSignals

/// First to end: declares the process not ready, and lets balancers notice before the port closes.
struct Readiness: Service {
    let draining: Draining
    /// Time after which work in progress is cancelled.
    let time: Duration
    let logger: Logger

    /// Longer than the interval of a fast probe.
    private static let notice = Duration.milliseconds(500)

    func run() async throws {
        try? await gracefulShutdown()
        draining.begin()
        logger.notice("draining")
        _ = Deadline(at: .now + time) { [draining] in draining.work.cancelAll() }
        // Not cancelled by the shutdown itself.
        await Task { try? await Deadline.sleep(for: min(Self.notice, time / 4)) }.value
    }
}

/// Last to end: workers and transfers.
struct BackendLife: Service {
    let backend: ServiceBackend

    func run() async throws {
        try? await gracefulShutdown()
        await backend.close()
    }
}

/// Reads the tokens again on SIGHUP.
struct TokenReload: Service {
    let tokens: BearerTokens
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in await UnixSignalsSequence(trapping: .sighup) {
                do throws(BearerTokens.Failure) {
                    try tokens.reload()
                    logger.notice(
                        "tokens read again", metadata: ["count": .stringConvertible(tokens.count)])
                } catch {
                    logger.error("tokens unchanged", metadata: ["reason": .string("\(error)")])
                }
            }
        }
    }
}
