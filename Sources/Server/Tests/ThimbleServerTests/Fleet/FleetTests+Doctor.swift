import Foundation
import JobBroker
import Testing

/// Checks of a broker, on queues of their own.
extension FleetTests {
    @Test("The doctor publishes and receives a message on each node, and creates no queue")
    func doctorLeavesNoQueues() throws {
        try TestFleet.with { fleet throws in
            for _ in 0..<2 {
                let check = try fleet.doctor()
                #expect(check.status == "ok" && check.found.hasSuffix("creates the queues"))
            }
            // It creates them.
            #expect(try fleet.depth(of: .transactional) == 0)
            let idle = try fleet.doctor("--fleet")
            #expect(
                idle.status == "warning" && idle.remedy?.contains("thimble-server work") == true)
            try fleet.startWorker()
            let worked = try fleet.eventually {
                try fleet.doctor("--fleet").found.hasSuffix("0 jobs wait for 1 workers")
            }
            #expect(worked)
            let other = try fleet.doctor("--max-jobs", "5")
            #expect(other.status == "failed")
            #expect(other.remedy?.contains("use the same settings on all machines") == true)
        }
    }

    @Test("The doctor tells a closed port, a wrong password and a lacking permission apart")
    func doctorNamesFaults() throws {
        try TestFleet.with { fleet throws in
            let broker = try #require(TestBroker.current)
            let listener = try Listener()
            listener.close()
            let closed = try fleet.doctor("--broker", "amqp://a:b@127.0.0.1:\(listener.port)")
            #expect(closed.remedy?.hasPrefix("check that a node runs") == true)
            let user = "doctor-\(UUID().uuidString)"
            let url = broker.url.replacing("thimble:thimble", with: "\(user):secret")
            let unknown = try fleet.doctor("--broker", url)
            #expect(unknown.remedy?.hasPrefix("check user, password") == true)
            #expect(!unknown.found.contains("secret"))
            try broker.control("add_user", user, "secret")
            try broker.control("set_permissions", user, "^$", "^$", "^$")
            #expect(try fleet.doctor("--broker", url).remedy?.contains("set_permissions") == true)
            // Without the right to publish.
            try broker.control("set_permissions", user, ".*", "^$", ".*")
            #expect(try fleet.doctor("--broker", url).remedy?.contains("set_permissions") == true)
            try broker.control(
                "set_permissions", user, #"^(thimble.*|amq\.gen.*)$"#,
                #"^(thimble.*|amq\.gen.*|amq\.default)$"#, #"^(thimble.*|amq\.gen.*)$"#)
            #expect(try fleet.doctor("--broker", url).status == "ok")
        }
    }
}

extension TestFleet {
    /// The result for the broker.
    fileprivate func doctor(_ options: String...) throws -> Checkup.Check {
        let arguments =
            ["--json", "--container", folder.appending(path: "doctor").path]
            + ["--port", "0", "--operations-port", "0"]
        let run = try run("doctor", options: arguments + options)
        let report = try JSONDecoder().decode(Checkup.Report.self, from: Data(run.output.utf8))
        return try #require(report.checks.first { $0.part == "broker" })
    }
}

extension TestBroker {
    /// Runs `rabbitmqctl` on the node, as `Examples/Fleet/broker.sh` starts it.
    fileprivate func control(_ command: String...) throws {
        let nodes = try String(contentsOf: folder.appending(path: "nodes"), encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/lib/rabbitmq/bin/rabbitmqctl")
        process.arguments = ["--longnames", "-n", "thimble1@127.0.0.1"] + command
        process.environment = ProcessInfo.processInfo.environment.merging([
            "HOME": folder.path,
            "ERL_EPMD_PORT": nodes.split(separator: " ")[1].filter(\.isNumber),
            "RABBITMQ_CONF_ENV_FILE": folder.appending(path: "none").path,
        ]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(command)")
    }
}
