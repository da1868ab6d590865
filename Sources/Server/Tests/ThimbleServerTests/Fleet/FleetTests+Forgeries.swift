import AttachmentContainer
@testable import AttachmentFleet
import Foundation
@testable import JobBroker
import Testing

/// Answers that no worker sent.
extension FleetTests {
    /// An attachment of its own for each number.
    private static func picture(_ number: Int) throws -> [UInt8] {
        try TestServer.picture("still-life-ready.jpg") + Array("\(number)".utf8)
    }

    private static func upload(_ server: TestServer, _ number: Int) throws -> RawConnection {
        let connection = try server.connect(timeout: 50)
        try connection.send(
            "POST", "/v1/attachments", ["Content-Type": "image/jpeg", "Thimble-Deadline": "40"],
            body: try picture(number))
        return connection
    }

    /// A job as an insider reads it; it leaves the queue if nobody is to work on it.
    private static func read(
        _ fleet: TestFleet, from queue: JobQueue = .transactional, removing: Bool = true
    ) throws -> FleetJob {
        var found: FleetJob?
        _ = try fleet.eventually {
            let queues = try QueueInspection.open(try fleet.broker())
            let taken = try queues.take(from: queue)
            if let taken {
                found = try FleetJob(reading: taken.message.body)
                if removing { try queues.remove(taken) }
            }
            queues.close()
            return taken != nil
        }
        return try #require(found)
    }

    private static func connect(_ fleet: TestFleet) throws -> BrokerConnection {
        let settings = try fleet.broker()
        return try BrokerConnection.open(to: try #require(settings.nodes.first), settings)
    }

    /// Members of the result of an attachment, which a worker processed and the store has.
    private static func template(_ fleet: TestFleet) async throws -> [String: Any] {
        let worker = try fleet.startWorker()
        let job = FleetJob(try fleet.storePicture(), identifier: "honest")
        try await fleet.publish([try job.message()])
        #expect(fleet.awaitResults(1))
        // A worker that is killed may leave a job whose result the store already has.
        kill(worker.processIdentifier, SIGTERM)
        worker.waitUntilExit()
        return try #require(fleet.results["honest"])
    }

    /// An answer to a job with another result's members, and with the digest of the job's
    /// attachment.
    private static func forge(
        _ job: FleetJob, _ template: [String: Any], _ number: Int,
        _ change: (inout [String: Any]) -> Void
    ) throws -> BrokerMessage {
        var members = template
        members["job"] = job.job
        members["identifier"] = job.identifier
        var manifest = members["manifest"] as? [String: Any]
        var source = manifest?["source"] as? [String: Any]
        source?["sha256"] = ContentDigest(of: try picture(number)).rawValue
        manifest?["source"] = source
        members["manifest"] = manifest
        change(&members)
        let body = try JSONSerialization.data(withJSONObject: members)
        return BrokerMessage(identifier: job.job, body: [UInt8](body))
    }

    private static func failure(
        _ job: FleetJob, _ code: String, _ reason: String
    ) throws -> BrokerMessage {
        let members: [String: Any] = [
            "version": 1, "job": job.job, "identifier": job.identifier, "worker": "w",
            "finishedAt": Date().formatted(.iso8601),
            "failure": ["code": code, "reason": reason, "remedy": reason, "lifetime": 1 << 40],
        ]
        let body = try JSONSerialization.data(withJSONObject: members)
        return BrokerMessage(identifier: job.job, body: [UInt8](body))
    }

    /// Changes the renditions of a result's manifest.
    private static func changeRenditions(
        _ members: inout [String: Any], _ change: (inout [[String: Any]]) -> Void
    ) {
        var manifest = members["manifest"] as? [String: Any] ?? [:]
        var renditions = manifest["renditions"] as? [[String: Any]] ?? []
        change(&renditions)
        manifest["renditions"] = renditions
        members["manifest"] = manifest
    }

    @Test("Malformed, enormous and many answers cost no memory, and the worker's own one counts")
    func floodOfAnswers() throws {
        try TestFleet.with { fleet in
            let server = try TestServer(
                fleet.common + ["--fleet"], environment: fleet.environment)
            defer { server.end() }
            let request = try Self.upload(server, 0)
            let job = try Self.read(fleet, removing: false)
            let queue = try #require(job.replyTo).name
            let before = server.peak
            let connection = try Self.connect(fleet)
            let text = #"{"version":1,"job":"\#(job.job)","identifier":""#
            let long = [UInt8](repeating: 0x61, count: 40 << 20)
            for body in [
                [], Array("null".utf8), Array(text.utf8), [0xFF, 0xFE],
                [UInt8](repeating: 0x5B, count: 1 << 19), Array(text.utf8) + long, long,
                Array(#"{"version":1e999,"job":-0,"finishedAt":"9999999-99-99T99:99:99Z"}"#.utf8),
            ] {
                for identifier in [job.job, "", String(repeating: "0", count: 64)] {
                    try connection.publish(
                        BrokerMessage(identifier: identifier, body: body), to: queue)
                }
            }
            for number in 0..<20_000 {
                let guess = ContentDigest(of: "\(number)").rawValue
                let body = Array(#"{"version":1,"job":"\#(guess)","identifier":"x"}"#.utf8)
                try connection.publish(BrokerMessage(identifier: guess, body: body), to: queue)
            }
            connection.close()
            // Its answer comes after those.
            try fleet.startWorker()
            let answer = try request.response()
            #expect(answer.status == 201, "\(answer.text)")
            let manifest = try #require(answer.json["manifest"] as? [String: Any])
            let renditions = try #require(manifest["renditions"] as? [[String: Any]])
            #expect(!renditions.isEmpty)
            for rendition in renditions {
                let file = try #require(rendition["file"] as? String)
                let served = try server.request("GET", "/v1/renditions/\(file)")
                #expect(
                    ContentDigest(of: served.body).rawValue == rendition["sha256"] as? String)
            }
            #expect(server.peak - before < 24 << 20, "\(before) to \(server.peak) bytes")
            #expect(!server.log.contains { $0.contains("broker lost") }, "\(server.log)")
        }
    }

    @Test("Answers that do not belong to the job and its attachment are ignored")
    func ignored() async throws {
        try await TestFleet.with { fleet in
            let template = try await Self.template(fleet)
            let server = try TestServer(
                fleet.common + ["--fleet"], environment: fleet.environment)
            defer { server.end() }
            let (one, job) = (try Self.upload(server, 1), try Self.read(fleet))
            let (two, other) = (try Self.upload(server, 2), try Self.read(fleet))
            #expect(job.job != other.job && job.replyTo == other.replyTo)
            let queue = try #require(job.replyTo).name
            let answers = [
                // Another attachment, another job, and neither or both of manifest and failure.
                try Self.forge(job, template, 2) { _ in },
                try Self.forge(job, template, 1) { $0["job"] = other.job },
                try Self.forge(job, template, 1) { $0["identifier"] = other.identifier },
                try Self.forge(job, template, 1) { $0["version"] = 2 },
                try Self.forge(job, template, 1) { $0["manifest"] = nil },
                try Self.forge(job, template, 1) {
                    $0["failure"] = ["code": "late", "reason": "", "remedy": "", "lifetime": 0]
                },
            ]
            let paths = [
                "../../../etc/passwd", "/etc/passwd", "ab/..", "results/ab/x.json", "",
                "sources/\(job.job.prefix(2))/\(job.job)",
            ]
            let escapes = try paths.map { path in
                try Self.forge(job, template, 1) {
                    Self.changeRenditions(&$0) { $0[0]["file"] = path }
                }
            }
            let extensions = try ["../x", "\u{0}", " ", "x/../../y"].map { ending in
                try Self.forge(job, template, 1) {
                    Self.changeRenditions(&$0) {
                        let digest = $0[0]["sha256"] as? String ?? ""
                        $0[0]["file"] = "\(digest.prefix(2))/\(digest).\(ending)/"
                    }
                }
            }
            let connection = try Self.connect(fleet)
            for answer in answers + escapes + extensions {
                try connection.publish(answer, to: queue)
            }
            // The first that belongs counts, and for its own request only.
            try connection.publish(try Self.failure(job, "truncated", "first"), to: queue)
            try connection.publish(try Self.failure(job, "unreadable", "second"), to: queue)
            let answer = try one.response()
            #expect(answer.problem == "truncated", "\(answer.text)")
            try connection.publish(try Self.failure(other, "unreadable", "third"), to: queue)
            connection.close()
            let last = try two.response()
            #expect(last.problem == "unreadable", "\(last.text)")
        }
    }

    @Test("An insider's answer names only bytes of their digest, and its text is bounded")
    func insider() async throws {
        try await TestFleet.with { fleet in
            let template = try await Self.template(fleet)
            let server = try TestServer(
                fleet.common + ["--fleet"], environment: fleet.environment)
            defer { server.end() }
            let missing = ContentDigest(of: "missing").rawValue
            let wrong = ContentDigest(of: "wrong").rawValue
            try fleet.storeObject(
                Data(try TestServer.picture("dunes-grey.jpg")),
                as: "\(wrong.prefix(2))/\(wrong).jpg")
            func naming(_ digest: String, bytes: Int) -> (inout [String: Any]) -> Void {
                { members in
                    Self.changeRenditions(&members) {
                        $0[0]["file"] = "\(digest.prefix(2))/\(digest).jpg"
                        $0[0]["sha256"] = digest
                        $0[0]["bytes"] = bytes
                    }
                }
            }
            let changes: [(code: String, change: (inout [String: Any]) -> Void)] = [
                ("storage", naming(missing, bytes: 1 << 20)),
                ("storage", naming(wrong, bytes: 1 << 20)),
                ("storage", { Self.changeRenditions(&$0) { $0[0]["bytes"] = 10 } }),
                (
                    "crashed",
                    {
                        Self.changeRenditions(&$0) {
                            $0 = Array(repeating: $0[0], count: 1_000)
                        }
                    }
                ),
                ("crashed", { Self.changeRenditions(&$0) { $0 = [] } }),
                ("crashed", { Self.changeRenditions(&$0) { $0[0]["type"] = "public.html" } }),
                ("crashed", { Self.changeRenditions(&$0) { $0[0]["role"] = "media" } }),
                (
                    "crashed",
                    {
                        Self.changeRenditions(&$0) {
                            $0[0]["size"] = ["width": 1 << 40, "height": 1]
                        }
                    }
                ),
            ]
            let connection = try Self.connect(fleet)
            let descriptors = server.descriptors
            for (number, (code, change)) in changes.enumerated() {
                let request = try Self.upload(server, number)
                let job = try Self.read(fleet)
                let queue = try #require(job.replyTo).name
                try connection.publish(
                    try Self.forge(job, template, number, change), to: queue)
                // If it is ignored, this one ends the request.
                try connection.publish(try Self.failure(job, "crashed", "ignored"), to: queue)
                let answer = try request.response()
                #expect(answer.problem == code, "\(number): \(answer.text)")
            }
            let reason = String(repeating: "<b>\u{1B}[31m\u{202E}\n", count: 20_000)
            let codes = [
                ("cancelled", "cancelled"), ("nonsense", "nonsense"), ("<script>", "service"),
                ("over-cap", "over-cap"),
            ]
            for (number, (code, told)) in codes.enumerated() {
                let request = try Self.upload(server, 100 + number)
                let job = try Self.read(fleet)
                try connection.publish(
                    try Self.failure(job, code, reason), to: try #require(job.replyTo).name)
                let answer = try request.response()
                #expect(answer.problem == told)
                #expect(answer.body.count < 4_000)
                #expect(!answer.text.contains("\u{1B}") && !answer.text.contains("u001b"))
                #expect(!answer.text.contains("\u{202E}"))
            }
            connection.close()
            // Nothing of it was published, and the front end goes on.
            let renditions = server.container.appending(path: "renditions")
            let names = FileManager.default.enumerator(atPath: renditions.path)?.allObjects
            #expect(names?.compactMap { $0 as? String }.filter { $0.contains(".") } == [])
            #expect(server.eventually { server.descriptors <= descriptors + 4 })
            #expect(server.log.allSatisfy { $0.utf8.count < 8_000 })
            try fleet.startWorker()
            let answer = try Self.upload(server, 1_000).response()
            #expect(answer.status == 201, "\(answer.text)")
        }
    }

    @Test("Jobs of a submission have no queue for answers")
    func submissionWithoutAnswers() throws {
        try TestFleet.with { fleet in
            let folder = try Self.pictures(fleet, "still-life-ready.jpg")
            #expect(try fleet.run("submit", folder).code == 0)
            #expect(try Self.read(fleet, from: .campaign).replyTo == nil)
        }
    }
}
