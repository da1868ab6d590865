import CCurl
import Foundation
import ThimbleBasics
import TransferProtocol
import WorkerProtocol

/// The process that exchanges data with servers for a supervisor: many transfers at once, on one
/// thread.
@main
struct ThimbleTransfer {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case nil where isatty(STDIN_FILENO) == 0: run()
        case "--version": print("thimble-transfer (\(String(cString: curl_version())))")
        default:
            print("thimble-transfer is started by thimble, and accepts only --version")
            exit(64)
        }
    }

    private static func run() {
        // Servers close connections at any time.
        signal(SIGPIPE, SIG_IGN)
        let writer = MessageWriter<TransferReply>()
        var reader = MessageReader<TransferOrder>()
        guard let order = try? reader.next(), case .configuration(let configuration) = order.message
        else { return writer.send(.unable(.notConfigured)) }
        do throws(Fault) {
            let setUp = try SetUp(
                configuration, keeping: [writer.descriptor] + reader.heldDescriptors)
            writer.send(.ready(setUp.sandbox))
            let loop = try TransferLoop(setUp, reader, writer)
            loop.run()
        } catch {
            writer.send(.unable(error))
        }
    }
}
