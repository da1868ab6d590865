import AttachmentContainer
import Foundation
import Testing

@Suite("Presets of requests", .serialized, .timeLimit(.minutes(2)))
struct PresetTests {
    private static let published = ["--publish-url", "https://media.example/r"]

    private func roles(_ answer: Response) throws -> [String] {
        let manifest = try #require(answer.json["manifest"] as? [String: Any])
        let renditions = try #require(manifest["renditions"] as? [[String: Any]])
        return renditions.compactMap { $0["role"] as? String }
    }

    @Test("The description states presets, deadlines and settings of renditions as configured")
    func description() throws {
        let server = try TestServer([
            "--preset", "avatar,web-push", "--quality", "71", "--deadline", "7", "--max-deadline",
            "9.5",
            "--scratch", FileManager.default.temporaryDirectory.path,
        ])
        defer { server.end() }
        let document = try server.request("GET", "/openapi.json").json
        func text(_ path: String...) throws -> String {
            let object = try path.dropLast().reduce(document) { object, name in
                try #require(object[name] as? [String: Any], "\(name)")
            }
            return try #require(object[path.last ?? ""] as? String)
        }
        #expect(
            try text("components", "parameters", "Preset", "description")
                .hasSuffix("by default avatar,web-push."))
        #expect(
            try text("components", "parameters", "Deadline", "description")
                .hasSuffix("7 by default, at most 9.5."))
        #expect(try text("x-thimble-renditions", "quality", "value") == "71")
        #expect(try text("x-thimble-renditions", "quality", "range") == "from 1 to 100")
        let settings = try #require(document["x-thimble-renditions"] as? [String: Any])
        #expect(settings.count == 27 && settings["scratch"] == nil)
        let names = try Regex(text("components", "schemas", "Presets", "pattern"))
        #expect(try names.wholeMatch(in: "avatar,widget") != nil)
        #expect(try names.wholeMatch(in: "avatar,watch") == nil)
    }

    @Test("A request names presets, and every rendition is published")
    func request() throws {
        let server = try TestServer(Self.published)
        defer { server.end() }
        let picture = try TestServer.picture("still-life-ready.jpg")
        let made = try server.request(
            "POST", "/v1/attachments",
            ["Content-Type": "image/jpeg", "Thimble-Preset": "content,avatar,web-push"],
            body: picture)
        #expect(made.status == 201)
        #expect(try roles(made) == ["expanded", "banner", "avatar", "web-push"])
        let urls = try #require(made.json["urls"] as? [String: String])
        #expect(Set(urls.keys) == ["expanded", "banner", "avatar", "web-push"])
        #expect(made.json["url"] as? String == urls["expanded"])
        let paths = try #require(made.json["paths"] as? [String: String])
        for (role, path) in paths {
            let file = try server.request("GET", path)
            #expect(file.status == 200, "\(role)")
            #expect(urls[role]?.hasSuffix(path.dropFirst("/v1/renditions/".count)) == true)
        }
        // Equal bytes with other presets are an attachment of their own.
        let standard = try server.request(
            "POST", "/v1/attachments", ["Content-Type": "image/jpeg"], body: picture)
        #expect(try roles(standard) == ["expanded", "banner"])
        #expect(standard.json["urls"] == nil && standard.json["url"] != nil)
        #expect(
            standard.json["identifier"] as? String == "sha256-\(ContentDigest(of: picture))")
        #expect(
            made.json["identifier"] as? String
                == "sha256-\(ContentDigest(of: picture))-content+avatar+web-push")
    }

    @Test("A form may repeat the preset; an unknown one is a typed problem")
    func form() throws {
        try TestServer.with { server throws in
            let picture = try TestServer.picture("still-life-ready.jpg")
            let body =
                ["avatar", "android-large-icon"].flatMap { name in
                    Array(
                        "--b\r\nContent-Disposition: form-data; name=\"preset\"\r\n\r\n\(name)\r\n"
                            .utf8)
                }
                + Array(
                    "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n"
                        .utf8) + picture + Array("\r\n--b--\r\n".utf8)
            let answer = try server.request(
                "POST", "/v1/attachments",
                ["Content-Type": "multipart/form-data; boundary=b"], body: body)
            #expect(answer.status == 201)
            #expect(try roles(answer) == ["avatar", "android-large-icon"])
            let unknown = try server.request(
                "POST", "/v1/attachments",
                ["Content-Type": "image/jpeg", "Thimble-Preset": "watch"], body: picture)
            #expect(unknown.problem == "unknown-name")
        }
    }

    @Test("The configuration names the presets of requests without any")
    func configuration() throws {
        let server = try TestServer(
            ["--preset", "avatar"], environment: ["THIMBLE_SERVER_PRESET": "web-push"])
        defer { server.end() }
        let picture = try TestServer.picture("still-life-ready.jpg")
        let answer = try server.request(
            "POST", "/v1/attachments", ["Content-Type": "image/jpeg"], body: picture)
        #expect(try roles(answer) == ["avatar"])
    }

    @Test("Command line, environment and file have the same name")
    func names() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        for json in [#"{"preset":["avatar","widget"]}"#, #"{"preset":"widget,avatar"}"#] {
            try Data(json.utf8).write(to: file)
            let result = try Program.run(
                ["check-config", "--container", "/c", "--config", file.path])
            #expect(result.code == 0 && result.output.contains("avatar,widget"))
        }
        let flags = try Program.run(
            ["check-config", "--container", "/c", "--preset", "widget", "--preset", "avatar"])
        #expect(flags.code == 0 && flags.output.contains("avatar,widget"))
        let wrong = try Program.run(["check-config", "--container", "/c", "--preset", "watch"])
        #expect(wrong.code == 78 && wrong.errors.contains("android-big-picture"))
        // Submissions took names of caps here once.
        let cap = try Program.run(
            ["check-config", "--container", "/c", "--preset", "legacy-service-extension"])
        #expect(cap.code == 78 && cap.errors.contains("cap takes the names of caps"))
    }
}
