import Foundation
import Subprocess
import SystemPackage
import WorkerProtocol

/// A process of a worker's program, from its start to its exit.
///
/// It waits for its configuration, which only a conversation sends.
final class WorkerProcess: Sendable {
    typealias Running = Execution<FileDescriptorInput, SequenceOutput, SequenceOutput>
    typealias Conversation = @Sendable (Running, MessageSocket) async -> Void

    private let conversations: AsyncStream<Conversation>.Continuation
    private let life: Task<TerminationStatus, any Error>

    /// Starts the process once the pages of its program are requested.
    init(_ command: Configuration, _ resident: ResidentProgram?) {
        let (waiting, conversations) = AsyncStream.makeStream(of: Conversation.self)
        self.conversations = conversations
        life = Task {
            await resident?.request()
            return try await Self.live(command, waiting)
        }
    }

    deinit { life.cancel() }

    private static func live(
        _ command: Configuration, _ conversations: AsyncStream<Conversation>
    ) async throws -> TerminationStatus {
        let (socket, workersEnd) = try MessageSocket.pair()
        let result = try await run(
            command,
            input: .fileDescriptor(
                FileDescriptor(rawValue: workersEnd), closeAfterSpawningProcess: true),
            output: .sequence, error: .sequence
        ) { execution in
            for await converse in conversations.prefix(1) { await converse(execution, socket) }
            // Do not wait for a process that broke the protocol.
            try? execution.send(signal: .kill)
        }
        return result.terminationStatus
    }

    /// Runs the only conversation, kills the process after it and waits for the exit.
    ///
    /// Cancellation kills the process earlier.
    func converse(_ conversation: @escaping Conversation) async throws -> TerminationStatus {
        conversations.yield(conversation)
        return try await withTaskCancellationHandler {
            try await life.value
        } onCancel: {
            life.cancel()
        }
    }

    /// Kills the process, which had no conversation, and waits for its exit.
    func end() async {
        life.cancel()
        _ = await life.result
    }
}
