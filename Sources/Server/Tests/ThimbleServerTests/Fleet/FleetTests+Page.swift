import Foundation
import Testing

extension FleetTests {
    @Test("Trials of the page run in the service itself, not in the fleet")
    func page() throws {
        try TestFleet.with { fleet in
            // No worker of the fleet: only the service can do it.
            let server = try TestServer(
                fleet.common + ["--fleet", "--page"],
                environment: fleet.environment)
            defer { server.end() }
            #expect(try server.request("GET", "/").status == 200)
            let answer = try server.request(
                "POST", "/page/trials?cap=12MiB",
                ["Content-Type": "application/octet-stream", "Thimble-Page": "1"],
                body: TestServer.picture("lake-baseline.jpg"))
            #expect(answer.status == 200 && answer.json["problem"] == nil)
            #expect(answer.json["manifest"] != nil)
            let series = try #require(answer.json["footprint"] as? [[String: Any]])
            #expect(series.contains { ($0["samples"] as? [[Int]])?.isEmpty == false })
            #expect(fleet.results.isEmpty)
            let objects = FileManager.default.enumerator(atPath: fleet.store.path)?.allObjects
            #expect(objects?.isEmpty == true)
        }
    }
}
