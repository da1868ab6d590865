import AttachmentFleet
import AttachmentModel
import Foundation
import JobBroker
import Testing

@Suite("The schema of jobs")
struct JobSchemaTests {
    private static let schema = TestServer.package
        .appending(path: "Sources/Server/Fleet/job.schema.json")

    /// A job with every member.
    private static func members() throws -> [String: Any] {
        var settings = FleetSettings()
        settings.presets = ["content", "web-push"]
        settings.cap = "12MiB"
        settings.width = 393
        settings.scale = 2.5
        settings.cropRatio = 0.5
        settings.quality = 60
        settings.effort = .best
        settings.targetScore = 75.5
        settings.linear = true
        settings.renderBudget = "8 MiB"
        settings.maxBytes = "1.5MB"
        let job = FleetJob(
            .url("https://e.com/ä b"), identifier: "order/7 é", category: "photo",
            settings: settings, below: .streamed, notAfter: Date(timeIntervalSince1970: 2e9),
            replyTo: ReplyQueue("amq.gen-JzTY20BRgKO-HjmUJj0wLg"))
        let object = try JSONSerialization.jsonObject(with: Data(try job.message().body))
        return try #require(object as? [String: Any])
    }

    private static func reason(_ members: [String: Any]) throws -> String? {
        let body = try JSONSerialization.data(withJSONObject: members)
        do throws(FleetJob.Invalid) {
            _ = try FleetJob(reading: [UInt8](body))
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("Texts have a length and a form, numbers a range, and objects no other members")
    func bounds() throws {
        let checked: Set = [
            "type", "const", "enum", "pattern", "minLength", "maxLength", "minimum",
            "exclusiveMinimum", "maximum", "items", "minItems", "maxItems", "uniqueItems",
            "properties", "required", "additionalProperties", "oneOf",
        ]
        let annotations: Set = ["$schema", "$id", "title", "description", "format"]
        var names: [String] = []
        func visit(_ schema: [String: Any], _ name: String) throws {
            names.append(name)
            #expect(Set(schema.keys).subtracting(checked).subtracting(annotations).isEmpty)
            switch schema["type"] as? String {
            case "string":
                let pattern = try #require(schema["pattern"] as? String, "\(name)")
                #expect(schema["maxLength"] is Int, "\(name)")
                #expect(pattern.hasPrefix("^") && pattern.hasSuffix("$"), "\(name)")
            case "number", "integer":
                let least = schema["minimum"] ?? schema["exclusiveMinimum"]
                #expect(least != nil && schema["maximum"] != nil, "\(name)")
            case "array":
                #expect(schema["maxItems"] is Int, "\(name)")
                try visit(try #require(schema["items"] as? [String: Any]), name)
            case "object":
                #expect(schema["additionalProperties"] as? Bool == false, "\(name)")
                let properties = try #require(schema["properties"] as? [String: [String: Any]])
                for (name, value) in properties { try visit(value, name) }
            case nil:
                let alternatives = schema["oneOf"] as? [[String: Any]] ?? []
                #expect(!alternatives.isEmpty || schema["enum"] != nil || schema["const"] != nil)
                for alternative in alternatives { try visit(alternative, name) }
            case let type: Issue.record("\(name): \(type ?? "")")
            }
        }
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.schema))
        try visit(try #require(object as? [String: Any]), "job")
        #expect(names.count > 20)
    }

    @Test("A job with every member is accepted")
    func complete() throws {
        #expect(try Self.reason(try Self.members()) == nil)
    }

    @Test(
        "A member outside its length, form or range is named, and nothing of its value",
        arguments: [
            (
                "identifier",
                ["", "secret\nline", "secret\u{9b}", String(repeating: "a", count: 8193)]
            ),
            ("category", ["", "secret\u{0}", String(repeating: "a", count: 257)]),
            (
                "replyTo",
                [
                    "", "secret", "thimble.transactional", "amq.gen-", "amq.gen-a b",
                    "amq.gen-abc\n", "amq.direct", "amq.gen-" + String(repeating: "a", count: 300),
                ]
            ),
            ("notAfter", ["", "secret", "2026-11-27", "2026-11-27T10:00:00Z\n"]),
            ("enqueuedAt", ["2026-13-40T10:00:00Z ", "12026-11-27T10:00:00Z"]),
            ("below", ["secret"]), ("job", ["secret", String(repeating: "A", count: 64)]),
        ])
    func texts(_ name: String, _ values: [String]) throws {
        for value in values {
            var members = try Self.members()
            members[name] = value
            let reason = try #require(try Self.reason(members), "\(name)")
            #expect(reason.hasSuffix("in \(name)") && !reason.contains("secret"), "\(reason)")
        }
    }

    @Test("Sources are one of three, each with its form")
    func sources() throws {
        for source: [String: String] in [
            [:], ["url": "ftp://e.com"], ["url": "https://"], ["url": "https://e.com/\n"],
            ["url": "https://" + String(repeating: "a", count: 8192)],
            ["url": "https://e.com", "path": "/a"], ["object": "../secret"], ["object": "/a"],
            ["object": "a//b"], ["object": ".a"], ["path": "a"], ["path": "/a\u{0}"],
            ["file": "/a"],
        ] {
            var members = try Self.members()
            members["source"] = source
            #expect(try Self.reason(members)?.hasSuffix("in source") == true, "\(source)")
        }
    }

    @Test("Settings have their types and ranges, and no other names")
    func settings() throws {
        let wrong: [(String, Any)] = [
            ("quality", 0), ("quality", 101), ("quality", 1.5), ("quality", "60"), ("width", 0.5),
            ("effort", "secret"), ("effort", 1), ("targetScore", 0.5), ("targetScore", "75"),
            ("linear", "secret"), ("linear", 1),
            ("scale", 11), ("cropRatio", 0), ("cap", "12 parsecs"), ("cap", "secret"),
            ("renderBudget", ""), ("maxBytes", "-1"),
            ("maxBytes", String(repeating: "1", count: 33)),
            ("presets", [String]()), ("presets", ["content", "content"]), ("presets", ["secret"]),
            ("presets", "content"),
        ]
        for (name, value) in wrong {
            var members = try Self.members()
            var settings = try #require(members["settings"] as? [String: Any])
            settings[name] = value
            members["settings"] = settings
            let reason = try Self.reason(members)
            #expect(reason?.hasSuffix("in settings.\(name)") == true, "\(name): \(value)")
        }
        for (name, path) in [("settings", "in settings"), ("secret", "schema")] {
            var members = try Self.members()
            members[name] = ["preset": "legacy-service-extension"]
            let reason = try #require(try Self.reason(members))
            #expect(reason.hasSuffix(path) && !reason.contains("secret"))
        }
    }

    @Test("A job that workers would refuse is not made into a message")
    func unsendable() {
        for job in [
            FleetJob(.url("https://e.com"), identifier: ""),
            FleetJob(.url("https://e.com"), identifier: "a\nb"),
            FleetJob(.url("e.com"), identifier: "a"),
            FleetJob(
                .url("https://e.com/" + String(repeating: "a", count: 8000)),
                identifier: String(repeating: "b", count: 8192), category: "c"),
        ] {
            #expect(throws: FleetJob.Invalid.self) { try job.message() }
        }
    }
}
