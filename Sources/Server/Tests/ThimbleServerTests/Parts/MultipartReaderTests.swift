@testable import AttachmentService
import Testing

@Suite("Parts of a form")
struct MultipartReaderTests {
    private static let body =
        "preamble\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n-\r\n--c\r\n"
        + "--b \t\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\n\r\n"
        + "--b\r\n\r\nunnamed\r\n--b--\r\nepilogue"

    private static func read(_ body: String, step: Int) throws -> [String] {
        var reader = try #require(MultipartReader(boundary: "b"))
        var parts: [String] = []
        let bytes = Array(body.utf8)
        for start in stride(from: 0, to: bytes.count, by: step) {
            let chunk = bytes[start..<min(start + step, bytes.count)]
            for event in try reader.append(chunk) {
                switch event {
                case .part(let name, let isFile): parts.append("\(name ?? "-") \(isFile): ")
                case .bytes(let bytes):
                    parts[parts.count - 1] += String(decoding: bytes, as: UTF8.self)
                case .end: parts.append("end")
                }
            }
        }
        return parts
    }

    @Test("The parts are the same however the bytes are split", arguments: 1...40)
    func split(_ step: Int) throws {
        #expect(
            try Self.read(Self.body, step: step)
                == ["a false: one\r\n-\r\n--c", "f true: ", "- false: unnamed", "end"])
    }

    @Test("Heads without end and text after a delimiter are refused")
    func malformed() throws {
        #expect(throws: MultipartReader.Failure.self) {
            try Self.read("--b\r\n" + String(repeating: "x", count: 9000), step: 100)
        }
        #expect(throws: MultipartReader.Failure.self) { try Self.read("--bx\r\n\r\n", step: 100) }
    }

    @Test("Boundaries of content types")
    func boundaries() {
        #expect(MultipartReader.boundary(of: "multipart/form-data; boundary=x") == "x")
        #expect(
            MultipartReader.boundary(of: "Multipart/Form-Data; charset=x; Boundary=\"a b\"")
                == "a b")
        #expect(MultipartReader.boundary(of: "multipart/mixed; boundary=x") == nil)
        #expect(MultipartReader.boundary(of: "multipart/form-data") == nil)
        #expect(MultipartReader(boundary: String(repeating: "x", count: 71)) == nil)
        #expect(MultipartReader(boundary: "") == nil)
    }
}
