import Foundation
import Testing

@Suite("Presets on the page", .serialized, .timeLimit(.minutes(3)))
struct PagePresetTests {
    private static let picture = [
        "Content-Type": "application/octet-stream", "Thimble-Page": "1",
    ]

    private func renditions(_ answer: Response) throws -> [String: [String: Any]] {
        let manifest = try #require(answer.json["manifest"] as? [String: Any])
        let list = try #require(manifest["renditions"] as? [[String: Any]])
        return Dictionary(list.map { ($0["role"] as? String ?? "", $0) }) { $1 }
    }

    @Test("A trial has the picture of every preset's rendition, with its size and bytes")
    func everyPreset() throws {
        try TestServer.with("--page") { server throws in
            let names = [
                "content", "avatar", "live-activity", "widget", "android-big-picture",
                "android-large-icon", "web-push",
            ]
            let answer = try server.request(
                "POST", "/page/trials?preset=\(names.joined(separator: ","))", Self.picture,
                body: TestServer.picture("lake-baseline.jpg"))
            #expect(answer.status == 200)
            let roles = Set(["expanded", "banner"] + names.dropFirst())
            let renditions = try renditions(answer)
            #expect(Set(renditions.keys) == roles)
            let pictures = try #require(answer.json["pictures"] as? [String: [String: String]])
            #expect(Set(pictures.keys) == roles.union(["placeholder"]))
            for (role, rendition) in renditions {
                let bytes = Data(base64Encoded: pictures[role]?["base64"] ?? "")
                #expect(bytes?.count == rendition["bytes"] as? Int, "\(role)")
            }
        }
    }

    @Test("Without presets a trial has those of the service, and the limits name them")
    func standard() throws {
        try TestServer.with("--page", "--preset", "avatar") { server throws in
            let limits = try server.request("GET", "/page/limits").json
            let presets = try #require(limits["presets"] as? [[String: Any]])
            #expect(presets.count == 8)
            let selected = presets.filter { $0["isSelected"] as? Bool == true }
            #expect(selected.compactMap { $0["name"] as? String } == ["avatar"])
            #expect(selected.first?["size"] as? String == "180 × 180")
            #expect(limits["needsToken"] as? Bool == false)
            let titles = try #require(limits["titles"] as? [String: String])
            #expect(titles["web-push"] == "Web push" && titles["expanded"] == "Expanded")
            let body = try TestServer.picture("still-life-ready.jpg")
            let own = try server.request("POST", "/page/trials", Self.picture, body: body)
            #expect(try Set(renditions(own).keys) == ["avatar"])
            let other = try server.request(
                "POST", "/page/trials?preset=web-push", Self.picture, body: body)
            #expect(try Set(renditions(other).keys) == ["web-push"])
        }
    }
}
