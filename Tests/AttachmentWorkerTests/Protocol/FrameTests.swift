import AttachmentContainer
import Foundation
import Testing
import WorkerProtocol

@Suite("Frames")
struct FrameTests {
    private func text(of message: WorkerMessage?) -> String? {
        guard case .unable(let fault)? = message else { return nil }
        return fault.reason
    }

    private func unable(_ text: String) -> WorkerMessage {
        .unable(.unable(text, remedy: "see the log"))
    }

    @Test("Messages survive any fragmentation")
    func cuts() throws {
        let bytes =
            try Frame.encode(unable("a")) + Frame.encode(unable("b"))
        for step in 1...bytes.count {
            var frames = FrameBuffer()
            var texts: [String?] = []
            for start in stride(from: 0, to: bytes.count, by: step) {
                frames.append(bytes[start..<min(start + step, bytes.count)])
                while let message = try frames.next(WorkerMessage.self) {
                    texts.append(text(of: message))
                }
            }
            #expect(texts == ["a", "b"], "in pieces of \(step)")
        }
    }

    @Test("A length over the ceiling is refused before the body arrives")
    func oversized() {
        var frames = FrameBuffer()
        frames.append([0xFF, 0xFF, 0xFF, 0xFF] as [UInt8])
        #expect(throws: FrameError.tooLong(0xFFFF_FFFF)) {
            try frames.next(SupervisorMessage.self)
        }
        let text = String(repeating: "x", count: Frame.ceiling)
        #expect(throws: FrameError.self) { try Frame.encode(unable(text)) }
    }

    @Test("Garbage, empty messages and other JSON are refused")
    func garbage() {
        for body in ["", "{", "null", #"{"done":{}}"#, "\u{0}\u{0}"] {
            var frames = FrameBuffer()
            frames.append([0, 0, 0, UInt8(body.utf8.count)] + body.utf8)
            #expect(throws: FrameError.self, "\(body)") {
                try frames.next(SupervisorMessage.self)
            }
        }
    }

    @Test("An incomplete message stays pending")
    func cutOff() throws {
        var frames = FrameBuffer()
        frames.append(try Frame.encode(unable("a")).dropLast())
        #expect(text(of: try frames.next(WorkerMessage.self)) == nil)
    }
}
