internal import Foundation

/// Messages to the supervisor, on what was standard output.
package struct MessageWriter<Message: Encodable>: Sendable {
    package let descriptor: CInt

    /// Takes over standard output and redirects it to standard error.
    ///
    /// Anything a library prints can then not be mistaken for a message.
    package init() {
        descriptor = dup(STDOUT_FILENO)
        dup2(STDERR_FILENO, STDOUT_FILENO)
    }

    package func send(_ message: Message) {
        var rest = frame(of: message)
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { _exit(1) }
            rest = rest.dropFirst(count)
        }
    }

    private func frame(of message: Message) -> Data {
        do throws(FrameError) {
            return try Frame.encode(message)
        } catch {
            // Messages are far below the ceiling. The supervisor reports the text with the loss.
            let text = Array("the message cannot be sent: \(error)\n".utf8)
            _ = write(STDERR_FILENO, text, text.count)
            _exit(EX_SOFTWARE)
        }
    }
}
