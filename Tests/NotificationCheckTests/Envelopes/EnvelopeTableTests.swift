import Foundation
import NotificationCheck
import NotificationPayload
import Testing

@Suite("Requests of providers", .timeLimit(.minutes(1)))
struct EnvelopeTableTests {
    static let rows = RequestEnvelope.all.flatMap(\.rows)

    private func example(_ envelope: RequestEnvelope) throws -> EnvelopeExample {
        try #require(EnvelopeExample.all.first { $0.name == envelope.name })
    }

    private func payload(_ text: String) throws -> APNsPayload {
        try APNsPayload(parsing: text.utf8)
    }

    /// The codes that a check finds in a request, without the code for a missing category.
    private func codes(_ text: String) async throws -> [CheckReport.Code] {
        var input = CheckInput()
        input.payloads = [.bytes(Array(text.utf8), name: "request", folder: "/")]
        let report = try await ProjectCheck(input).run(inspecting: SampleProject.inspect)
        return report.findings.map(\.code).filter { $0 != .missingCategory }
    }

    private func link(_ source: RequestEnvelope.Source) -> String {
        "[\(source.title)](\(source.url))"
    }

    @Test("The guide's table has every key of every request, and nothing else")
    func page() throws {
        let url = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../../../Sources/Notifications/Delivery/NotificationDelivery.docc/ProviderRequests.md"
        ).standardized
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
            .map(String.init)
        let table = Self.rows.map {
            "| `\($0.envelope.name)` | `\($0.path)` | \($0.stage) | \($0.check) | "
                + "\($0.source.map(link) ?? "") |"
        }
        let written = lines.filter { $0.split(separator: "|").count == 5 && $0.hasPrefix("| `") }
        #expect(written == table, "write\n\(table.joined(separator: "\n"))")
        let sources = RequestEnvelope.all.map {
            "| `\($0.name)` | \($0.title) | \($0.documentation.map(link).joined(separator: ", ")) |"
        }
        let named = lines.filter { $0.split(separator: "|").count == 3 && $0.hasPrefix("| `") }
        #expect(named == sources, "write\n\(sources.joined(separator: "\n"))")
    }

    @Test("Each example is recognised, and its picture is one attachment with every key of it")
    func examples() async throws {
        #expect(RequestEnvelope.all.map(\.name) == EnvelopeExample.all.map(\.name))
        for example in EnvelopeExample.all {
            let payload = try payload(example.text)
            #expect(payload.envelope?.name == example.name)
            let found = payload.attachments()
            #expect(
                found.filter(\.isForApple).map(\.location) == [EnvelopeExample.location],
                "\(example.name)")
            let places = [found[0].path].compactMap(\.self) + found[0].copies.map(\.path)
            #expect(
                places.count == example.text.replacing("\\/", with: "/").components(
                    separatedBy: EnvelopeExample.location
                ).count - 1)
            #expect(try await codes(example.text) == [], "\(example.name)")
            // The content of the notification, as previews show it.
            let content = payload.content(identifier: "one")
            #expect(content.hasAlert && content.isMutable)
            let title = content.title?.text ?? content.body?.text ?? ""
            let titles = ["Hi", "title", "Sparky says hello!", "Motion", "Low disk space"]
            #expect(titles.contains(title), "\(example.name)")
        }
    }

    @Test("New locations and the note change nothing else of a request")
    func bytes() throws {
        for example in EnvelopeExample.all {
            let request = try payload(example.text)
            let edit = request.replacing(request.attachments()[0]) {
                .init("https://cdn/\($0.rawValue)")
            }
            #expect(edit.outcome == .complete)
            let after = String(decoding: edit.payload.bytes, as: UTF8.self)
            // The type hint does not change without a rendition.
            let plain = after.replacing("\\/", with: "/")
            let restored = PictureSurface.allCases.reduce(plain) {
                $0.replacing("https://cdn/\($1.rawValue)", with: EnvelopeExample.location)
            }
            #expect(restored == example.text.replacing("\\/", with: "/"))
            let note = DeliveryNote(outcome: .rendition, identifier: "x")
            let noted = request.adding(note)
            #expect(noted.outcome == .complete)
            let hasNote = noted.payload.note == note
            let expected = ["customerio", "home-assistant", "ntfy", "pinpoint"]
                .contains(example.name)
            #expect(hasNote != expected, "\(example.name)")
            #expect(hasNote || noted.payload.bytes == request.bytes)
            #expect(noted.payload.adding(note).payload.bytes == noted.payload.bytes)
        }
    }

    @Test("Each cell of the table is true", arguments: rows.indices)
    func cell(index: Int) async throws {
        let row = Self.rows[index]
        let example = try example(row.envelope)
        let path = row.path.description
        switch row.part {
        case .picture(let surface, let isIcon, let isFallback):
            try picture(row, example, surface, isIcon: isIcon, isFallback: isFallback)
        case .body:
            let body: [String: Any] = [
                "aps": ["alert": "Hi", "category": "body", "mutable-content": 1],
                "media-url": "https://e.com/body.jpg",
            ]
            var base = example
            // A message of SNS is in one of two places.
            if row.envelope.name == "sns" { base = EnvelopeExample(name: "sns", text: "{}") }
            if row.envelope.name == "fcm-admin" {
                base = EnvelopeExample(name: base.name, text: #"{"token":"a","android":{}}"#)
            }
            let request = try payload(base.changed(path, to: body))
            #expect(request.envelope == row.envelope && request.category == "body")
            let paths = request.attachments().map(\.path)
            #expect(paths.contains(row.path.appending(.key("media-url"))))
            let noted = request.adding(DeliveryNote(outcome: .rendition)).payload
            #expect(noted.document.value(at: row.path.appending(.key("thimble"))) != nil)
            #expect(request.path(of: .mutableContent)?.steps.starts(with: row.path.steps) == true)
            let silent = try base.changed(path, to: ["aps": ["alert": "Hi"]])
            let codes = try await codes(silent)
            #expect(codes.contains(.notMutable))
        case .merged:
            let request = try payload(
                example.changed("\(path).media-url", to: "https://e.com/merged.jpg"))
            let paths = request.attachments().map(\.path)
            #expect(paths.contains(row.path.appending(.key("media-url"))))
        case .alert:
            let all = row.envelope.rows.filter { $0.part == .alert || $0.part == .template }
            // The first message of SNS has its alert in an APNs payload.
            let example = row.envelope.name == "sns" ? EnvelopeExample.snsFirebase : example
            let none = try all.reduce(example) {
                EnvelopeExample(
                    name: $0.name, text: try $0.changed($1.path.description, to: nil))
            }
            // A request without the keys that tell it from others is not known.
            if try payload(none.text).envelope == row.envelope {
                let codes = try await codes(none.text)
                #expect(codes.contains(.missingAlert))
            }
            let one = try payload(none.changed(path, to: "Hello"))
            if one.envelope == row.envelope {
                let content = one.content(identifier: "")
                #expect(content.title?.text == "Hello" || content.body?.text == "Hello")
            }
        case .template:
            let texts = row.envelope.rows.filter { $0.part == .alert }
            let none = try texts.reduce(example) {
                EnvelopeExample(
                    name: $0.name, text: try $0.changed($1.path.description, to: nil))
            }
            let request = try none.changed(path, to: "template")
            #expect(try payload(request).content(identifier: "").hasAlert)
        case .category:
            #expect(try payload(example.changed(path, to: "other")).category == "other")
        case .mutableContent:
            var request = EnvelopeExample(
                name: example.name, text: try example.changed(path, to: false))
            // Braze sets the flag for every picture.
            request = EnvelopeExample(
                name: example.name,
                text: try request.changed("messages.apple_push.asset_url", to: nil))
            let codes = try await codes(request.text)
            #expect(codes.contains(.notMutable))
        case .note(let isText):
            let noted = try payload(example.text).adding(DeliveryNote(outcome: .original)).payload
            let value = noted.document.value(at: row.path.appending(.key("thimble")))
            #expect((value?.string != nil) == isText)
            #expect(noted.note?.outcome == .original)
        }
    }

    private func picture(
        _ row: RequestEnvelope.Row, _ example: EnvelopeExample, _ surface: PictureSurface,
        isIcon: Bool, isFallback: Bool
    ) throws {
        let isMap = row.path.description == "ios_attachments"
        let path = isMap ? row.path.appending(.key("cell")) : row.path
        // With the picture of the others, the key follows it with the rendition of its own surface.
        let same = try payload(example.changed(path.description, to: EnvelopeExample.location))
        #expect(same.envelope == row.envelope)
        let attachment = try #require(
            same.attachments().first { $0.location == EnvelopeExample.location })
        let edit = same.replacing(attachment) { .init("https://cdn/\($0.rawValue)") }
        let shown = isFallback && attachment.path != path ? PictureSurface.other : surface
        #expect(
            edit.payload.document.value(at: path)?.string == "https://cdn/\(shown.rawValue)")
        // With another one, it is a picture of its own, and an icon is none.
        let other = "https://e.com/other.jpg"
        let own = try payload(example.changed(path.description, to: other))
        let found = own.attachments().first { $0.location == other }
        #expect((found == nil) == isIcon)
        #expect(found.map { $0.isForApple == (shown == .content) } ?? true)
    }
}
