import AttachmentContainer
import AttachmentFleet
import AttachmentModel
import AttachmentService
import Foundation
import JobBroker
import ServiceOptions
import Testing

@Suite("Jobs of a fleet")
struct FleetJobTests {
    @Test("A job is read as it was written, and its number follows from its values")
    func roundTrip() throws {
        let answers = try #require(ReplyQueue("amq.gen-JzTY20BRgKO-HjmUJj0wLg"))
        for source in [
            FleetJob.Source.url("https://e.com/a?b=c"), .object("sources/ab/abc"), .path("/mnt/a"),
        ] {
            var settings = FleetSettings()
            settings.width = 393
            let job = FleetJob(
                source, identifier: "order-7", category: "photo", settings: settings,
                notAfter: Date(timeIntervalSince1970: 2_000_000_000), replyTo: answers)
            let read = try FleetJob(reading: job.message().body)
            #expect(read.job == job.job && read.source == source && read.settings == settings)
            #expect(read.notAfter == job.notAfter && read.replyTo == answers)
            #expect(
                FleetJob(source, identifier: "order-7", category: "photo", settings: settings).job
                    == job.job)
            #expect(FleetJob(source, identifier: "order-8").job != job.job)
        }
    }

    @Test("The number is that of the schema's description, so other languages can compute it")
    func number() {
        let job = FleetJob(.url("https://e.com/a"), identifier: "x")
        let text = #"{"identifier":"x","settings":{},"source":{"url":"https://e.com/a"}}"#
        #expect(job.job == ContentDigest(of: text).rawValue)
    }

    @Test("Messages that are no jobs are refused, with the fault")
    func invalid() throws {
        let job = FleetJob(.url("https://e.com/a"), identifier: "x")
        let text = String(decoding: try job.message().body, as: UTF8.self)
        for (message, fault) in [
            ("", "schema"), ("[]", "schema"), ("{}", "schema"),
            (text.replacing(#""version":1"#, with: #""version":2"#), "version"),
            (text.replacing(#""identifier":"x""#, with: #""identifier":"y""#), "number"),
            (
                text.replacing(#"{"url":"https://e.com/a"}"#, with: #"{"url":"a","path":"b"}"#),
                "schema"
            ),
            (text + String(repeating: " ", count: 20_000), "longer"),
        ] {
            let error = #expect(throws: FleetJob.Invalid.self) {
                try FleetJob(reading: Array(message.utf8))
            }
            #expect(error?.reason.contains(fault) == true, "\(message.prefix(80))")
        }
    }

    @Test("Settings of a job change those of the worker, within their ranges")
    func settings() throws {
        let standard = ProcessingSettings()
        var settings = FleetSettings()
        #expect(try settings.settings(over: standard) == standard)
        settings.cap = "legacy-service-extension"
        settings.quality = 60
        let changed = try settings.settings(over: standard)
        #expect(changed.cap == .legacyServiceExtension && changed.quality == 60)
        settings.quality = 200
        #expect(throws: SettingsError.self) { try settings.settings(over: standard) }
        settings.quality = nil
        settings.presets = ["unknown"]
        #expect(throws: SettingsError.self) { try settings.settings(over: standard) }
        settings.presets = ["web-push", "content"]
        let surfaces = try settings.settings(over: standard)
        #expect(surfaces.presets == [.content, .webPush])
        #expect(try FleetSettings(of: surfaces, from: standard).presets == ["content", "web-push"])
    }

    @Test("A job's quality replaces a target score of the workers, and a score a quality")
    func targetScore() throws {
        var scored = ProcessingSettings()
        scored.targetScore = 75
        var coarse = ProcessingSettings()
        coarse.quality = 60
        for (settings, standard) in [
            (ProcessingSettings(), scored), (coarse, scored), (scored, coarse),
            (scored, ProcessingSettings()), (scored, scored),
        ] {
            let job = try FleetSettings(of: settings, from: standard)
            #expect(try job.settings(over: standard) == settings)
            #expect(job.quality == nil || job.targetScore == nil)
        }
        #expect(try FleetSettings(of: scored, from: coarse).targetScore == 75)
        #expect(try FleetSettings(of: ProcessingSettings(), from: scored).quality == 80)
        #expect(try FleetSettings(of: scored, from: scored) == FleetSettings())
        var both = FleetSettings()
        (both.quality, both.targetScore) = (60, 75)
        let error = #expect(throws: SettingsError.self) {
            try both.settings(over: ProcessingSettings())
        }
        #expect(error?.field == "targetScore")
    }

    @Test("A job names effort and linear light in both directions, beside a score and a ceiling")
    func methods() throws {
        var settings = ProcessingSettings()
        settings.effort = .best
        settings.isLinear = true
        settings.targetScore = 75
        settings.maximumBytes = .megabytes(1)
        let job = try FleetSettings(of: settings, from: ProcessingSettings())
        #expect(job.effort == .best && job.linear == true)
        #expect(try job.settings(over: ProcessingSettings()) == settings)
        let back = try FleetSettings(of: ProcessingSettings(), from: settings)
        #expect(back.effort == .standard && back.linear == false)
        #expect(try back.settings(over: settings) == ProcessingSettings())
        let message = try FleetJob(.object("sources/a"), identifier: "x", settings: job).message()
        #expect(try FleetJob(reading: message.body).settings == job)
    }

    @Test("Settings that no job can name are refused with those that it can")
    func unnameable() throws {
        var settings = ProcessingSettings()
        settings.toleratesTruncation = true
        let error = #expect(throws: SettingsError.self) {
            try FleetSettings(of: settings, from: ProcessingSettings())
        }
        #expect(error?.description.contains("a job can name") == true)
    }

    @Test("Options of a submission become settings of its jobs, and the others are the workers'")
    func submitted() throws {
        var configuration = ServiceConfiguration()
        #expect(try configuration.jobSettings() == FleetSettings())
        // A limit of the submitter alone.
        configuration.maxUploadBytes = .megabytes(500)
        #expect(try configuration.jobSettings() == FleetSettings())
        configuration.renditions.cap = .legacyServiceExtension
        configuration.renditions.presets = [.avatar]
        configuration.renditions.width = 320
        configuration.renditions.quality = 60
        let settings = try configuration.jobSettings()
        #expect(settings.presets == ["avatar"] && settings.width == 320)
        #expect(settings.quality == 60 && settings.scale == nil)
        let worker = try settings.settings(over: ProcessingSettings())
        #expect(worker.cap.footprint == MemoryCap.legacyServiceExtension.footprint)
    }

    @Test("A failure of a clock that is hours ahead answers no job, one of a clock behind its own")
    func clocks() throws {
        let hour = 3600.0
        let job = FleetJob(.object("sources/a"), identifier: "x")
        let now = job.enqueuedAt
        let lifetime = FailureLifetime.attempt
        let failure = FleetResult.Failure(
            Fault(.workers, "no-worker", reason: "", remedy: ""), lifetime: lifetime)
        let result = FleetResult(job, failure: failure, worker: "w")
        let body = try JSONEncoder.fleet.encode(result)
        func finished(_ date: Date) throws -> FleetResult {
            var members = try #require(
                JSONSerialization.jsonObject(with: body) as? [String: Any])
            members["finishedAt"] = date.formatted(.iso8601)
            return try JSONDecoder.fleet.decode(
                FleetResult.self, from: JSONSerialization.data(withJSONObject: members))
        }
        #expect(try finished(now + 2).settles(job, at: now + 3))
        #expect(try finished(now + 60).settles(job, at: now + 3))
        #expect(try !finished(now + 6 * hour).settles(job, at: now + 3))
        #expect(try !finished(now - 6 * hour).settles(job, at: now + 3))
    }

    @Test("A broker's URL has host, port, user and virtual host; others are refused")
    func nodes() throws {
        let node = try #require(BrokerSettings.Node("amqp://a:b@host:5673/fleet%2F1"))
        #expect(node.host == "host" && node.port == 5673 && node.user == "a")
        #expect(node.password == "b" && node.virtualHost == "fleet/1" && !node.isEncrypted)
        let encrypted = try #require(BrokerSettings.Node("amqps://host"))
        #expect(encrypted.port == 5671 && encrypted.virtualHost == "/" && encrypted.isEncrypted)
        for text in ["", "host", "http://host", "amqp://", "amqp:///fleet"] {
            #expect(BrokerSettings.Node(text) == nil, "\(text)")
        }
    }
}
