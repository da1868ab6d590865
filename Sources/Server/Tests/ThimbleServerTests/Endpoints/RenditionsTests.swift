import AttachmentContainer
import Foundation
import Testing

@Suite("Renditions", .serialized, .timeLimit(.minutes(1)))
struct RenditionsTests {
    /// Publishes a picture, and passes the path and the bytes of its largest rendition.
    private func withRendition(_ body: (TestServer, String, [UInt8]) throws -> Void) throws {
        try TestServer.with { server throws in
            let answer = try server.request(
                "POST", "/v1/attachments", ["Content-Type": "image/jpeg"],
                body: try TestServer.picture("lake-baseline.jpg"))
            let paths = try #require(answer.json["paths"] as? [String: String])
            let path = try #require(paths["expanded"])
            let file = path.replacing("/v1/", with: "/", maxReplacements: 1)
            let bytes = [UInt8](try Data(contentsOf: server.container.appending(path: file)))
            try body(server, path, bytes)
        }
    }

    @Test("A rendition has its type, its digest as entity tag, and never changes")
    func whole() throws {
        try withRendition { server, path, bytes throws in
            let answer = try server.request("GET", path)
            #expect(answer.status == 200 && answer.body == bytes)
            #expect(answer.fields["content-type"] == "image/jpeg")
            #expect(answer.fields["etag"] == "\"\(ContentDigest(of: bytes))\"")
            #expect(
                answer.fields["cache-control"] == "public, max-age=31536000, immutable")
            #expect(answer.fields["x-content-type-options"] == "nosniff")
            let head = try server.request("HEAD", path)
            #expect(head.status == 200 && head.fields["content-length"] == "\(bytes.count)")
        }
    }

    @Test("Ranges, and conditions on the entity tag")
    func ranges() throws {
        try withRendition { server, path, bytes throws in
            func get(_ fields: [String: String]) throws -> Response {
                try server.request("GET", path, fields)
            }
            let count = bytes.count
            let part = try get(["Range": "bytes=10-19"])
            #expect(part.status == 206 && part.body == Array(bytes[10..<20]))
            #expect(part.fields["content-range"] == "bytes 10-19/\(count)")
            #expect(try get(["Range": "bytes=\(count - 5)-"]).body == Array(bytes.suffix(5)))
            #expect(try get(["Range": "bytes=-7"]).body == Array(bytes.suffix(7)))
            #expect(try get(["Range": "bytes=5-999999999"]).body == Array(bytes[5...]))
            let beyond = try get(["Range": "bytes=\(count)-"])
            #expect(beyond.status == 416)
            #expect(beyond.fields["content-range"] == "bytes */\(count)")
            for whole in ["bytes=0-1,4-5", "bytes=9-3", "bytes=x-", "lines=1-2", "bytes=-", ""] {
                #expect(try get(["Range": whole]).status == 200, "\(whole)")
            }
            let tag = "\"\(ContentDigest(of: bytes))\""
            #expect(try get(["If-None-Match": "\"x\", W/\(tag)"]).status == 304)
            #expect(try get(["If-None-Match": "*"]).status == 304)
            #expect(try get(["If-None-Match": "\"x\""]).status == 200)
            #expect(try get(["Range": "bytes=0-1", "If-Range": tag]).status == 206)
            #expect(try get(["Range": "bytes=0-1", "If-Range": "\"x\""]).status == 200)
        }
    }

    @Test("No path leads to another file")
    func traversal() throws {
        try withRendition { server, path, _ throws in
            let name = path.split(separator: "/").suffix(2).joined(separator: "/")
            let digest = String(name.dropFirst(3))
            for path in [
                "/v1/renditions/../thimble.json", "/v1/renditions/%2e%2e/thimble.json",
                "/v1/renditions/00/\(digest)", "/v1/renditions/\(name)/",
                "/v1/renditions/\(name)%00",
                "/v1/renditions/..%2Frenditions/\(digest)", "/v1/renditions/\(name).json",
                "/v1/renditions/\(name.uppercased())", "/v1/renditions//etc/passwd",
                "//v1/renditions/../../etc/passwd", "/v1/renditions/et/c%2Fpasswd",
            ] where path != "/v1/renditions/\(name)/" {
                let answer = try server.request("GET", path)
                #expect(answer.status == 404, "\(path)")
                #expect(answer.problem == "not-found", "\(path)")
            }
        }
    }

    @Test("A link in the container is not followed")
    func link() throws {
        try TestServer.with { server throws in
            let digest = ContentDigest(of: "x")
            let folder = server.container.appending(path: "renditions/\(digest.rawValue.prefix(2))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "\(digest).jpg").path,
                withDestinationPath: "/etc/passwd")
            let path = "/v1/renditions/\(digest.rawValue.prefix(2))/\(digest).jpg"
            #expect(try server.request("GET", path).status == 404)
        }
    }

    @Test("Unknown paths and methods are 404 and 405")
    func methods() throws {
        try TestServer.with { server throws in
            #expect(try server.request("GET", "/").problem == "not-found")
            #expect(try server.request("GET", "/v2/stage").problem == "not-found")
            let get = try server.request("GET", "/v1/stage")
            #expect(get.status == 405 && get.fields["allow"] == "POST")
            let delete = try server.request("DELETE", "/v1/attachments/x")
            #expect(delete.status == 405 && delete.fields["allow"] == "GET, HEAD")
            #expect(try server.request("BREW", "/v1/inspect").status >= 400)
        }
    }
}
