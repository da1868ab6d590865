import AttachmentFleet
import Foundation
@testable import JobBroker
import Testing

/// Messages of programs that are not ours.
extension FleetTests {
    @Test("Results go to queues for answers only; jobs that name others are kept, and delay nobody")
    func replies() async throws {
        try await TestFleet.with { fleet in
            try fleet.startWorker()
            let prefix = fleet.folder.lastPathComponent
            let names = [
                String(repeating: "q", count: 300), "", "answers", "amq.direct",
                "\(prefix).transactional", "\(prefix).campaign", "\(prefix).lost", "\(prefix).dead",
            ]
            let strangers = try names.enumerated().map { number, name in
                let job = FleetJob(.object("sources/none/\(number)"), identifier: "s\(number)")
                let object = try JSONSerialization.jsonObject(with: Data(try job.message().body))
                var members = try #require(object as? [String: Any])
                members["replyTo"] = name
                let body = try JSONSerialization.data(withJSONObject: members)
                return BrokerMessage(identifier: job.job, body: [UInt8](body))
            }
            try await fleet.publish(strangers)
            let honest = FleetJob(try fleet.storePicture(), identifier: "honest")
            try await fleet.publish([try honest.message()])
            #expect(fleet.awaitResults(1, seconds: 10))
            #expect(fleet.results.keys.sorted() == ["honest"])
            #expect(fleet.results["honest"]?["manifest"] != nil)
            #expect(fleet.logged("broker lost", by: 0) == 0, "\(fleet.log(of: 0))")
            #expect(fleet.logged("invalid job", by: 0) == names.count)
            // Nothing but what the strangers sent.
            #expect(try fleet.eventually { try fleet.depth(of: .dead) == names.count })
            for queue in [JobQueue.transactional, .campaign, .lost] {
                #expect(try fleet.depth(of: queue) == 0, "\(queue)")
            }
        }
    }

    @Test("Who asks workers for their state gets it in a queue for answers only")
    func questions() throws {
        try TestFleet.with { fleet in
            try fleet.startWorker()
            let settings = try fleet.broker()
            let asks = { () throws -> Bool in
                let queues = try QueueInspection.open(settings)
                let states = try queues.states(within: .milliseconds(500))
                queues.close()
                return states.count == 1
            }
            #expect(try fleet.eventually(20, asks))
            let node = try #require(settings.nodes.first)
            let connection = try BrokerConnection.open(to: node, settings)
            for name in [settings.name(.campaign), settings.name(.dead), "", "none"] {
                try connection.publish(
                    BrokerMessage(identifier: name, body: []), toAllOf: settings.workers)
            }
            connection.close()
            #expect(try fleet.eventually(20, asks))
            for queue in JobQueue.allCases { #expect(try fleet.depth(of: queue) == 0, "\(queue)") }
            #expect(fleet.logged("invalid job", by: 0) == 0)
        }
    }

    @Test("What the broker would refuse is not sent, and costs no connection")
    func refused() async throws {
        try await TestFleet.with { fleet in
            let queues = try QueueInspection.open(try fleet.broker())
            queues.close()
            let long = BrokerMessage(
                identifier: String(repeating: "\u{FFFD}", count: 255), body: Array("x".utf8))
            #expect(long.identifier.utf8.count == 255)
            try await fleet.publish([long])
            let large = BrokerMessage(
                identifier: "x", body: [UInt8](repeating: 0x20, count: (16 << 20) + 1))
            let error = await #expect(throws: BrokerError.self) {
                try await fleet.publish([large])
            }
            #expect(error?.code == .tooLarge)
            #expect(try fleet.depth(of: .transactional) == 1)
        }
    }

    @Test("Of a message that is too long for a job, operators get the beginning")
    func longMessage() async throws {
        try await TestFleet.with { fleet in
            try fleet.startWorker()
            let body = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
            try await fleet.publish([BrokerMessage(identifier: "long", body: body)])
            #expect(try fleet.eventually { try fleet.depth(of: .dead) == 1 })
            let list = try fleet.run("dead", "list")
            #expect(list.output.contains("not a job, 16384 bytes"), "\(list.output)")
        }
    }
}
