import Foundation
import NotificationPayload
import Testing

@Suite("The documented keys of payloads", .timeLimit(.minutes(1)))
struct DocumentedKeysTests {
    /// Style, key and kind of each key in the guide's table.
    private static let keys: [(style: String, key: String, hint: String?)] = {
        let page = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../../../Sources/Notifications/Delivery/NotificationDelivery.docc/FilteringPayloads.md"
        ).standardized
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").flatMap { line -> [(String, String, String?)] in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 6, cells[1].hasPrefix("`") else { return [] }
            let style = cells[1].trimmingCharacters(in: ["`"])
            let hint = cells[3].wholeMatch(of: /`([^`]+)`/).map { String($0.1) }
            return cells[2].matches(of: /`([^`]+)`/).map { (style, String($0.1), hint) }
        }
    }()

    /// A payload with strings at paths of keys.
    private func payload(_ values: [(path: String, value: String)]) throws -> APNsPayload {
        var object: [String: Any] = [:]
        for (path, value) in values {
            // A key of Airship's has full stops.
            let names =
                path == "com.urbanairship.media_attachment"
                ? [path, "url"] : path.split(separator: ".").map(String.init)
            insert(value, at: names[...], into: &object)
        }
        return try APNsPayload(parsing: JSONSerialization.data(withJSONObject: object))
    }

    private func insert(
        _ value: Any, at names: ArraySlice<String>, into object: inout [String: Any]
    ) {
        guard let name = names.first else { return }
        guard names.count > 1 else { return object[name] = value }
        var inner = object[name] as? [String: Any] ?? [:]
        insert(value, at: names.dropFirst(), into: &inner)
        object[name] = inner
    }

    @Test("The guide has the keys of every style")
    func complete() {
        #expect(Set(Self.keys.map(\.style)) == Set(PayloadStyle.presets.map(\.name)))
        #expect(Self.keys.count >= 25)
    }

    @Test("Each key is found, by its style and by auto", arguments: Self.keys.indices)
    func found(index: Int) throws {
        let (name, key, hint) = Self.keys[index]
        let style = try #require(PayloadStyle(name: name))
        let location = "https://e.com/a.jpg"
        // OneSignal's keys map identifiers to locations.
        let path = style == .onesignal ? "\(key).cover" : key
        let payload = try payload([(path, location)] + (hint.map { [($0, "png")] } ?? []))
        #expect(payload.attachments(style).map(\.typeHint) == [hint == nil ? nil : "png"])
        for found in [payload.attachments(style), payload.attachments()] {
            #expect(found.map(\.location) == [location], "\(key)")
        }
        #expect(payload.content(identifier: "one").attachments.first?.kind == .remoteURL)
    }
}
