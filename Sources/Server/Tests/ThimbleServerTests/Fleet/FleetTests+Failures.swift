import AttachmentContainer
import AttachmentFleet
import AttachmentModel
import Foundation
import JobBroker
import Testing

/// Failures and their ends.
extension FleetTests {
    @Test("A failure answers equal jobs for its lifetime, and then the job is done")
    func lifetimes() async throws {
        try await TestFleet.with { fleet in
            let source = try fleet.storePicture()
            let (minute, hour) = (60.0, 3600.0)
            let failures: [(code: String, age: Double, lifetime: FailureLifetime, isOver: Bool)] = [
                ("killed", 20 * minute, AttachmentError.Code.killed.lifetime, true),
                ("killed", minute, AttachmentError.Code.killed.lifetime, false),
                ("crashed", 20 * minute, AttachmentError.Code.crashed.lifetime, true),
                ("over-cap", 20 * minute, AttachmentError.Code.overCap.lifetime, true),
                ("over-cap", minute, AttachmentError.Code.overCap.lifetime, false),
                ("invalid-settings", minute, .attempt, true),
                ("consumer-lost", 2 * hour, .poison, true),
                ("consumer-lost", 20 * minute, .poison, false),
                ("truncated", 2 * hour, AttachmentError.Code.truncated.lifetime, false),
                ("truncated", 48 * hour, AttachmentError.Code.truncated.lifetime, true),
            ]
            var jobs: [FleetJob] = []
            for (number, failure) in failures.enumerated() {
                let job = FleetJob(source, identifier: "\(number)")
                jobs.append(job)
                let finished = Date() - failure.age
                let result: [String: Any] = [
                    "version": 1, "job": job.job, "identifier": job.identifier, "worker": "w",
                    "finishedAt": finished.formatted(.iso8601),
                    "failure": [
                        "code": failure.code, "reason": "r", "remedy": "r",
                        "lifetime": failure.lifetime.seconds,
                    ],
                ]
                try fleet.storeObject(
                    JSONSerialization.data(withJSONObject: result), as: FleetResult.key(job.job))
            }
            try fleet.startWorker()
            try await fleet.publish(try jobs.map { try $0.message() })
            let last = FleetJob(source, identifier: "last")
            try await fleet.publish([try last.message()])
            #expect(fleet.awaitResults(failures.count + 1))
            for (number, failure) in failures.enumerated() {
                let code = fleet.code(of: "\(number)")
                #expect(code == (failure.isOver ? nil : failure.code), "\(failure)")
            }
        }
    }

    @Test("Settings beyond the number of pools take the place of those used longest ago")
    func manySettings() async throws {
        try await TestFleet.with { fleet in
            try fleet.startWorker()
            let source = try fleet.storePicture()
            // The first again at the end, after its pool was closed.
            let qualities = Array(60..<78) + [60]
            let jobs = qualities.enumerated().map { number, quality in
                var settings = FleetSettings()
                settings.quality = quality
                return FleetJob(source, identifier: "\(number)", settings: settings)
            }
            try await fleet.publish(try jobs.map { try $0.message() })
            #expect(fleet.awaitResults(jobs.count, seconds: 60))
            for (number, _) in qualities.enumerated() {
                #expect(fleet.results["\(number)"]?["manifest"] != nil, "\(number)")
            }
        }
    }

    @Test("A job for whose settings there is no place now goes back, and is done later")
    func noPlace() async throws {
        let listener = try Listener()
        defer { listener.close() }
        let options = [
            "--allow-network", "127.0.0.0/8", "--allow-http", "--allow-port",
            "\(listener.port)", "--fetch-timeout", "8", "--max-fetches", "32",
        ]
        try await TestFleet.with(options) { fleet in
            try fleet.startWorker(jobs: 18)
            let settings = (0..<17).map { number in
                var settings = FleetSettings()
                settings.quality = 60 + number
                return settings
            }
            let waiting = settings.dropLast().map { settings in
                let number = settings.quality ?? 0
                return FleetJob(
                    .url("http://127.0.0.1:\(listener.port)/\(number)"), identifier: "\(number)",
                    settings: settings)
            }
            try await fleet.publish(try waiting.map { try $0.message() })
            for job in waiting { #expect(listener.accept(within: 20), "\(job.identifier)") }
            let other = FleetJob(
                try fleet.storePicture(), identifier: "other", settings: settings[16])
            try await fleet.publish([try other.message()])
            #expect(fleet.awaitResults(waiting.count + 1, seconds: 60))
            #expect(fleet.results["other"]?["manifest"] != nil, "\(fleet.log(of: 0))")
            // It never counted as a job that loses its workers.
            for queue in JobQueue.allCases { #expect(try fleet.depth(of: queue) == 0, "\(queue)") }
        }
    }
}
