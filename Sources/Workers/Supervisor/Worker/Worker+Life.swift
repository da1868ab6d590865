import AttachmentContainer
import Foundation
import ProgramLaunch
import Subprocess
import SystemPackage
import WorkerProtocol

extension Worker {
    private static let keptOutput = 4096

    struct Order: Sendable {
        let message: SupervisorMessage
        let descriptors: [CInt]
        /// Keep the descriptors open until they are sent.
        let owners: [any AnyObject & Sendable]
    }

    /// Runs in the process `early`, or else in one of its own.
    func live(_ early: WorkerProcess?, _ orders: AsyncStream<Order>) async {
        let printed = Tail(limit: Self.keptOutput)
        var status: TerminationStatus?
        do {
            let (scratch, scratchEnd) = try makeScratch()
            let process =
                early
                ?? WorkerProcess(
                    launch.command(program, in: group), launch.residents[program])
            status = try await process.converse { [self] execution, socket in
                didStart(as: execution.processIdentifier.value, scratch, scratchEnd)
                await withTaskGroup { group in
                    group.addTask {
                        for await order in orders {
                            // `owners` keep the descriptors open until here.
                            defer { withExtendedLifetime(order) {} }
                            // The worker no longer reads; its exit is handled below.
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
            }
        } catch {
            await early?.end()
            stopWatching()
            if !Task.isCancelled { printed.append("\(error)") }
        }
        didExit { killReason, wasOverCap in
            let text = printed.text
            let cause =
                killReason
                ?? WorkerLoss.cause(
                    of: status, wasOverCap: wasOverCap,
                    isLimited: launch.hardCap.mechanism == .dataLimit)
            return WorkerLoss(cause: cause, output: text)
        }
    }

    func makeScratch() throws(MessageError) -> (supply: ScratchSupply, end: OwnedDescriptor) {
        let folder = launch.scratchFolder
        let (supply, end) = try ScratchSupply.pair { () throws(ContainerError) in
            try OwnedDescriptor.openUnnamedFile(in: folder)
        } report: { [weak self] in
            self?.kill(.breach("it requested too many scratch files"))
        }
        return (supply, OwnedDescriptor(end))
    }

    private func listen(to output: SubprocessOutputSequence, _ printed: Tail) async {
        var frames = FrameBuffer()
        do {
            for try await buffer in output {
                buffer.withUnsafeBytes { frames.append($0) }
                while let message = try frames.next(WorkerMessage.self) { receive(message) }
            }
        } catch {
            // The exit of the process interrupts the read; that is not an error.
            guard error is FrameError else { return }
            printed.append("unreadable message: \(error)\n")
            kill(.breach("it sent an unreadable message"))
        }
    }
}
