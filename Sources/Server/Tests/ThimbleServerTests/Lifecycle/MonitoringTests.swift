import Foundation
import Testing

/// The rules are tested with series by `make lint`.
@Suite("Rules and dashboard")
struct MonitoringTests {
    private static let folder = TestServer.package.appending(path: "Examples/Server/Monitoring")

    /// Names of metrics in the sources of the service, or their beginnings up to an interpolation.
    private static func declared() throws -> Set<String> {
        let sources = TestServer.package.appending(path: "Sources/Server")
        let files = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in files
        where file.pathExtension == "swift" && !file.path.contains("/Tests/") {
            let text = try String(contentsOf: file, encoding: .utf8)
            names.formUnion(text.matches(of: /"(thimble_[a-z_]+)["\\]/).map { "\($0.1)" })
        }
        return names
    }

    @Test(
        "Every metric that a rule or a panel reads is one of the service",
        arguments: ["alerts.yml", "alerts.test.yml", "dashboard.json"])
    func names(file: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
        let read = Set(
            text.matches(of: /\bthimble_[a-z_]+/).map {
                "\($0.0)".replacing(/_bucket$/, with: "")
            })
        let declared = try Self.declared()
        #expect(declared.count > 30 && read.count > 5)
        let unknown = read.filter { name in
            !declared.contains { $0 == name || ($0.hasSuffix("_") && name.hasPrefix($0)) }
        }
        #expect(unknown.isEmpty)
    }

    @Test("The dashboard has a panel for each question, on one grid, with a source to choose")
    func dashboard() throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "dashboard.json"))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(object["panels"] as? [[String: Any]])
        var places: Set<String> = []
        for panel in panels {
            let place = try #require(panel["gridPos"] as? [String: Int])
            let (x, y, width) = (place["x"] ?? -1, place["y"] ?? -1, place["w"] ?? 0)
            #expect(x >= 0 && x + width <= 24)
            #expect(places.insert("\(x) \(y)").inserted)
            let targets = try #require(panel["targets"] as? [[String: Any]])
            #expect(!targets.isEmpty && (panel["title"] as? String)?.isEmpty == false)
        }
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
    }
}
