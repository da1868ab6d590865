import AttachmentContainer
import AttachmentIntake
import Foundation
import Subprocess
import SystemPackage
import WorkerProtocol

extension Worker {
    /// The end of what a worker prints that is kept, in bytes: the last lines of a crash.
    private static let keptOutput = 4096

    /// What a worker is told, and the files that go along.
    struct Order: Sendable {
        let message: SupervisorMessage
        let descriptors: [CInt]
        /// Keep the descriptors open until they are sent.
        let owners: [any AnyObject & Sendable]
    }

    /// Starts the process and stays with it until it is gone.
    ///
    /// - Parameter orders: What it is told, as it comes.
    func live(_ orders: AsyncStream<Order>) async {
        let printed = Tail(limit: Self.keptOutput)
        var status: TerminationStatus?
        do {
            let (scratch, scratchEnd) = try makeScratch()
            let (socket, workersEnd) = try MessageSocket.pair()
            let result = try await run(
                launch.command(in: group),
                input: .fileDescriptor(
                    FileDescriptor(rawValue: workersEnd), closeAfterSpawningProcess: true),
                output: .sequence, error: .sequence
            ) { execution in
                born(as: execution.processIdentifier.value, scratch, scratchEnd)
                await withTaskGroup { group in
                    group.addTask {
                        for await order in orders {
                            // What is sent stays open until it is.
                            defer { withExtendedLifetime(order) {} }
                            // A process that reads no more is about to be noticed below.
                            guard let frame = try? Frame.encode(order.message),
                                (try? await socket.send(frame, with: order.descriptors)) != nil
                            else { return }
                        }
                    }
                    group.addTask { await printed.collect(execution.standardError) }
                    await listen(to: execution.standardOutput, printed)
                    group.cancelAll()
                }
                stopWatching()
                // What said nothing that can be understood is not waited for.
                try? execution.send(signal: .kill)
            }
            status = result.terminationStatus
        } catch {
            stopWatching()
            if !Task.isCancelled { printed.append("\(error)") }
        }
        died { sentence, wasOverCap in
            let text = printed.text
            let cause =
                sentence
                ?? WorkerLoss.cause(
                    of: status, wasOverCap: wasOverCap,
                    isLimited: launch.hardCap.mechanism == .dataLimit)
            return WorkerLoss(cause: cause, output: text)
        }
    }

    /// Makes the socket on which the process is given scratch files.
    ///
    /// - Returns: The supervisor's end, and the worker's.
    /// - Throws: `MessageError` when the system refuses.
    func makeScratch() throws(MessageError) -> (supply: ScratchSupply, end: OwnedDescriptor) {
        let folder = launch.scratchFolder
        let (supply, end) = try ScratchSupply.pair { () throws(ContainerError) in
            try OwnedDescriptor.openUnnamedFile(in: folder)
        } report: { [weak self] in
            self?.kill(.breach("it asked for scratch files without end"))
        }
        return (supply, OwnedDescriptor(end))
    }

    /// Takes messages in until there are no more.
    private func listen(to output: SubprocessOutputSequence, _ printed: Tail) async {
        var frames = FrameBuffer()
        do {
            for try await buffer in output {
                buffer.withUnsafeBytes { frames.append($0) }
                while let message = try frames.next(WorkerMessage.self) { hear(message) }
            }
        } catch {
            // The end of the process cuts what is being read, which is no finding.
            guard error is FrameError else { return }
            printed.append("unreadable message: \(error)\n")
            kill(.breach("it said what is no message"))
        }
    }
}
