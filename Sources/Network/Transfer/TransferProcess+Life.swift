import AttachmentContainer
import Foundation
import ProgramLaunch
import Subprocess
import SystemPackage
import TransferProtocol
import WorkerProtocol

extension TransferProcess {
    private static let keptOutput = 4096

    func live(_ orders: AsyncStream<Order>) async {
        let printed = Tail(limit: Self.keptOutput)
        var status: TerminationStatus?
        do {
            let (socket, childsEnd) = try MessageSocket.pair()
            let result = try await run(
                launch.command,
                input: .fileDescriptor(
                    FileDescriptor(rawValue: childsEnd), closeAfterSpawningProcess: true),
                output: .sequence, error: .sequence
            ) { execution in
                didStart(as: execution.processIdentifier.value)
                await withTaskGroup { group in
                    group.addTask {
                        for await order in orders {
                            // Its files are open until here.
                            defer { withExtendedLifetime(order) {} }
                            // The process no longer reads; its exit is handled below.
                            guard let frame = try? Frame.encode(order.message),
                                (try? await socket.send(
                                    frame, with: order.files.map(\.descriptor))) != nil
                            else { return }
                        }
                    }
                    group.addTask { await printed.collect(execution.standardError) }
                    group.addTask { [weak self] in
                        while (try? await Deadline.sleep(for: .seconds(1))) != nil {
                            self?.checkTime()
                        }
                    }
                    await listen(to: execution.standardOutput, printed)
                    group.cancelAll()
                }
                // Do not wait for a process that broke the protocol.
                try? execution.send(signal: .kill)
            }
            status = result.terminationStatus
        } catch {
            if !Task.isCancelled { printed.append("\(error)") }
        }
        let text = printed.text
        didExit(text.isEmpty ? Self.description(of: status) : text)
    }

    private func listen(to output: SubprocessOutputSequence, _ printed: Tail) async {
        var frames = FrameBuffer()
        do {
            for try await buffer in output {
                buffer.withUnsafeBytes { frames.append($0) }
                while let message = try frames.next(TransferReply.self) { receive(message) }
            }
        } catch {
            // The exit of the process interrupts the read; that is not an error.
            guard error is FrameError else { return }
            kill("it sent an unreadable message")
        }
    }

    private static func description(of status: TerminationStatus?) -> String {
        switch status {
        case .signaled(let signal): "it was killed by signal \(signal)"
        case .exited(let code): "it exited with code \(code)"
        case nil: "it could not be started"
        }
    }
}
