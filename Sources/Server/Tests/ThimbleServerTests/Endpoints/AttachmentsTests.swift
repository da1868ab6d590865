import AttachmentContainer
import Foundation
import Testing

@Suite("Attachments", .serialized, .timeLimit(.minutes(2)))
struct AttachmentsTests {
    private static func form(_ parts: [(head: String, body: [UInt8])]) -> [UInt8] {
        parts.reduce([]) { $0 + Array("--b\r\n\($1.head)\r\n\r\n".utf8) + $1.body + [13, 10] }
            + Array("--b--\r\n".utf8)
    }

    private static let formType = ["Content-Type": "multipart/form-data; boundary=b"]

    @Test("A body is processed once, found again, and described")
    func body() throws {
        try TestServer.with { server throws in
            let picture = try TestServer.picture("still-life-ready.jpg")
            let fields = ["Content-Type": "image/jpeg", "Thimble-Identifier": "order%2F1"]
            let made = try server.request("POST", "/v1/attachments", fields, body: picture)
            #expect(made.status == 201)
            #expect(made.json["work"] as? String == "made")
            let location = try #require(made.fields["location"])
            #expect(location == "/v1/attachments/order%2F1")
            let again = try server.request("POST", "/v1/attachments", fields, body: picture)
            #expect(again.status == 200)
            #expect(again.json["work"] as? String == "unchanged")
            let found = try server.request("GET", location)
            #expect(found.json["identifier"] as? String == "order/1")
            let tag = try #require(found.fields["etag"])
            let current = try server.request("GET", location, ["If-None-Match": tag])
            #expect(current.status == 304)
            let paths = try #require(found.json["paths"] as? [String: String])
            let rendition = try server.request("GET", try #require(paths["expanded"]))
            #expect(rendition.status == 200)
            let unknown = try server.request("GET", "/v1/attachments/..%2F..%2Fetc%2Fpasswd")
            #expect(unknown.problem == "unknown-attachment")
        }
    }

    @Test("Without an identifier, equal bytes are one attachment")
    func withoutIdentifier() throws {
        try TestServer.with { server throws in
            let picture = try TestServer.picture("still-life-ready.jpg")
            let fields = ["Content-Type": "image/jpeg"]
            let first = try server.request("POST", "/v1/attachments", fields, body: picture)
            let second = try server.request("POST", "/v1/attachments", fields, body: picture)
            let identifier = "sha256-\(ContentDigest(of: picture))"
            #expect(first.json["identifier"] as? String == identifier)
            #expect(second.json["work"] as? String == "unchanged")
        }
    }

    /// The service writes and hashes uploads in blocks of 256 KiB.
    @Test(
        "Bodies and forms around the length of a block arrive whole",
        arguments: [-1, 0, 1, 300_000], [false, true])
    func blocks(difference: Int, isForm: Bool) throws {
        try TestServer.with { server throws in
            let length = (256 << 10) + difference
            let picture = Self.padded(try TestServer.picture("still-life-ready.jpg"), to: length)
            let part = #"Content-Disposition: form-data; name="file"; filename="a.jpg""#
            let answer = try server.request(
                "POST", "/v1/attachments",
                isForm ? Self.formType : ["Content-Type": "image/jpeg"],
                body: isForm ? Self.form([(part, picture)]) : picture)
            #expect(answer.status == 201)
            #expect(answer.json["identifier"] as? String == "sha256-\(ContentDigest(of: picture))")
            let manifest = try #require(answer.json["manifest"] as? [String: Any])
            let source = try #require(manifest["source"] as? [String: Any])
            #expect(source["bytes"] as? Int == length)
        }
    }

    /// A JPEG with comments that make it exactly so long.
    private static func padded(_ picture: [UInt8], to length: Int) -> [UInt8] {
        var comments: [UInt8] = []
        while case let rest = length - picture.count - comments.count, rest > 0 {
            // A comment has a marker and its length, and may not leave fewer bytes than that.
            let count = rest > 60_000 ? 50_000 : rest
            comments += [0xFF, 0xFE, UInt8((count - 2) >> 8), UInt8((count - 2) & 0xFF)]
            comments += (4..<count).map { UInt8(truncatingIfNeeded: $0 &* 167) }
        }
        return picture.prefix(2) + comments + picture.dropFirst(2)
    }

    @Test("A form has a file and its label")
    func multipart() throws {
        try TestServer.with { server throws in
            let picture = try TestServer.picture("still-life-ready.jpg")
            let body = Self.form([
                (#"Content-Disposition: form-data; name="identifier""#, Array("né/1".utf8)),
                (
                    "Content-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n"
                        + "Content-Type: image/jpeg", picture
                ),
            ])
            let answer = try server.request(
                "POST", "/v1/attachments", Self.formType, body: body)
            #expect(answer.status == 201)
            #expect(answer.json["identifier"] as? String == "né/1")
            let manifest = try #require(answer.json["manifest"] as? [String: Any])
            let source = try #require(manifest["source"] as? [String: Any])
            #expect(source["sha256"] as? String == "\(ContentDigest(of: picture))")
        }
    }

    @Test("Damaged forms, unknown types and bodies that are no attachments are typed problems")
    func problems() throws {
        try TestServer.with("--no-fetch") { server throws in
            func code(_ fields: [String: String], _ body: [UInt8]) throws -> String? {
                try server.request("POST", "/v1/attachments", fields, body: body).problem
            }
            let field = Self.form([(#"Content-Disposition: form-data; name="x""#, [65])])
            #expect(try code(Self.formType, field) == "unknown-name")
            #expect(try code(Self.formType, Array("--b\r\n".utf8)) == "incomplete-body")
            #expect(try code(Self.formType, Array("--bad\r\n\r\n".utf8)) == "invalid-request")
            #expect(
                try code(["Content-Type": "multipart/form-data"], field) == "invalid-request")
            #expect(try code(["Content-Type": "text/plain"], [65]) == "unsupported-media-type")
            #expect(try code(["Content-Type": "image/png"], [65, 66]) == "unsupported")
            #expect(try code(["Content-Type": "image/png"], []) == "empty")
            let long = String(repeating: "%C3%A9", count: 257)
            for label in ["%", "%FF", "%00", "a/b", "{}", long] {
                for name in ["Thimble-Identifier", "Thimble-Category"] {
                    let fields = ["Content-Type": "image/png", name: label]
                    #expect(try code(fields, [65]) == "invalid-request")
                }
            }
            let truncated = Array(try TestServer.picture("still-life-ready.jpg").prefix(3000))
            let answer = try server.request(
                "POST", "/v1/attachments", ["Content-Type": "image/jpeg"], body: truncated)
            #expect(answer.status == 422)
            let source = Array(#"{"url":"https://example.com/a.jpg"}"#.utf8)
            #expect(
                try code(["Content-Type": "application/json"], source) == "fetching-unavailable")
            #expect(
                try code(["Content-Type": "application/json"], [123, 125]) == "invalid-request")
        }
    }

    @Test("An announced, a chunked and a form's excess end at the limit")
    func tooLarge() throws {
        try TestServer.with("--max-upload-bytes", "100kB") { server throws in
            let type = "Content-Type: image/jpeg\r\n"
            let announced = try server.connect()
            try announced.send(
                "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\n\(type)"
                    + "Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n")
            #expect(try announced.response().problem == "too-large")
            #expect(announced.isClosedByServer())

            let chunked = try server.connect()
            try chunked.send(
                "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\n\(type)"
                    + "Transfer-Encoding: chunked\r\n\r\n")
            let block = "2710\r\n" + String(repeating: "x", count: 10_000) + "\r\n"
            for _ in 0..<12 { try chunked.send(block) }
            #expect(try chunked.response().problem == "too-large")
            // Endless sending ends too.
            var sent = 0
            while sent < 5000, (try? chunked.send(block)) != nil { sent += 1 }
            #expect(sent < 5000)

            let part = "Content-Disposition: form-data; name=\"file\"; filename=\"a\""
            let body = Self.form([(part, Array(repeating: 65, count: 120_000))])
            let form = try server.request("POST", "/v1/attachments", Self.formType, body: body)
            #expect(form.problem == "too-large")
        }
    }

    @Test("A client that goes away in the middle of its upload leaves nothing behind")
    func truncatedUpload() throws {
        try TestServer.with { server throws in
            let picture = try TestServer.picture("still-life-ready.jpg")
            for isReset in [true, false] {
                let connection = try server.connect()
                try connection.send(
                    "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/jpeg\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n\(String(picture.count, radix: 16))\r\n"
                )
                // Complete but for the last chunk.
                try connection.send(picture + [13, 10])
                #expect(try server.eventually { try server.metric("thimble_uploads") == 1 })
                if isReset { connection.reset() } else { try connection.send("zz\r\n") }
                #expect(try server.eventually { try server.metric("thimble_uploads") == 0 })
            }
            #expect(try server.metric(#"thimble_attachments_total{work="made"}"#) == 0)
            let incoming = server.container.appending(path: "incoming").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty)
        }
    }

    @Test("Inspecting shows the header and the ladder, and publishes nothing")
    func inspect() throws {
        try TestServer.with { server throws in
            let answer = try server.request(
                "POST", "/v1/inspect", ["Content-Type": "image/jpeg"],
                body: try TestServer.picture("ridges-progressive.jpg"))
            #expect(answer.status == 200)
            let header = try #require(answer.json["header"] as? [String: Any])
            #expect(header["coding"] as? String == "progressive")
            let ladder = try #require(answer.json["ladder"] as? [String: Any])
            #expect((ladder["rungs"] as? [Any])?.isEmpty == false)
            let folder = server.container.appending(path: "notifications").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            let sound = try server.request(
                "POST", "/v1/inspect", ["Content-Type": "audio/wav"],
                body: try TestServer.picture("chime.wav"))
            #expect(sound.json["media"] != nil)
        }
    }
}
