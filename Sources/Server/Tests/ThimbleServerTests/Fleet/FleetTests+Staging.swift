import Foundation
import Testing

extension FleetTests {
    @Test("Payloads are staged through the fleet, by the service and by the command")
    func staging() throws {
        try TestFleet.with { fleet in
            try fleet.startWorker()
            let server = try TestServer(
                fleet.common + ["--fleet"], environment: fleet.environment)
            defer { server.end() }
            let payload = Array(TestServer.payload().utf8)
            for _ in 0..<2 {
                let answer = try server.request("POST", "/v1/stage", Self.json, body: payload)
                #expect(answer.fields["thimble-outcome"] == "rendition", "\(server.log)")
                let url = try #require(answer.json["attachment-url"] as? String)
                let file = String(url.dropFirst("https://media.example/r/".count))
                let published = try Data(contentsOf: fleet.store.appending(path: file))
                // The service has the rendition too.
                let served = try server.request("GET", "/v1/renditions/\(file)")
                #expect(served.status == 200 && served.body == [UInt8](published))
            }
            #expect(try server.metric("thimble_cache_hits_total") == 1)
            #expect(try server.metric("thimble_workers_lost_total") == 0)

            let broken = TestServer.payload("ridges-truncated.jpg")
            let input = fleet.folder.appending(path: "input")
            let lines = [TestServer.payload("ridges-interlaced.png"), "no payload", broken]
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: input)
            let run = try fleet.run(
                "stage",
                options: [
                    "--container", fleet.folder.appending(path: "filter").path, "--allow-root",
                    TestServer.package.appending(path: "Images").path,
                ], input: input)
            #expect(run.code == 0, "\(run.errors)")
            let output = run.output.split(separator: "\n").map(String.init)
            #expect(output.count == 3)
            #expect(output.first?.contains("https://media.example/r/") == true)
            #expect(output[1] == "no payload")
            #expect(!output[2].contains("https://media.example/r/"))
        }
    }

    @Test("A movie with its poster and an animation come through the fleet as from a worker")
    func kinds() throws {
        try TestFleet.with { fleet in
            try fleet.startWorker()
            let server = try TestServer(
                fleet.common + ["--fleet"], environment: fleet.environment)
            defer { server.end() }
            let own = try TestServer([])
            defer { own.end() }
            for name in [
                "aurora-animated.gif", "aurora.avi", "chime.wav", "thimble-alpha.png",
                "lake-evening.heic", "still-life-ready.jpg",
            ] {
                let bytes = try TestServer.picture(name)
                let fields = ["Content-Type": "application/octet-stream"]
                let theirs = try server.request("POST", "/v1/attachments", fields, body: bytes)
                let ours = try own.request("POST", "/v1/attachments", fields, body: bytes)
                #expect(theirs.status == ours.status, "\(name): \(theirs.text)")
                let files = try [theirs, ours].map { answer in
                    let manifest = try #require(answer.json["manifest"] as? [String: Any])
                    let renditions = try #require(manifest["renditions"] as? [[String: Any]])
                    return renditions.compactMap { $0["sha256"] as? String }
                }
                #expect(files[0] == files[1] && !files[0].isEmpty, "\(name)")
            }
        }
    }
}
