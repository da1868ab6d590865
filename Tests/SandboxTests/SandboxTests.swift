#if os(Linux)
    import Foundation
    import Testing

    @testable import WorkerProtocol

    @Suite("The sandbox", .timeLimit(.minutes(1)))
    struct SandboxTests {
        @Test(
            "Every escape attempt of a compromised decoder fails",
            .enabled(if: Sandbox.isAvailable, "the kernel lacks Landlock"))
        func escapes() throws {
            let run = try EscapeRun(.require)
            #expect(run.findings.refusal == nil)
            #expect(run.findings.report?.isComplete == true)
            #expect(run.findings.escapes.count == 96)
            for (name, error) in run.findings.escapes {
                #expect([EPERM, EACCES, EXDEV, ENOSYS].contains(error), "\(name): \(error)")
            }
            #expect(run.outside == ["file", "file2", "file3", "file4"])
            #expect(run.foreign == "foreign")
        }

        @Test(
            "A compromised transfer process has sockets and its readable files, and nothing else",
            .enabled(if: Sandbox.isAvailable, "the kernel lacks Landlock"))
        func transfers() throws {
            let run = try EscapeRun(.require, isTransfer: true)
            #expect(run.findings.refusal == nil)
            #expect(run.findings.report?.isComplete == true)
            #expect(run.findings.escapes.count == 105)
            // Client sockets are its work; these are tried with invalid arguments, or harmless.
            var allowed: Set = [
                "make an internet socket", "make a pair of sockets", "receive on another socket",
                "connect its input to somewhere else",
            ]
            let paths = run.findings.report?.entries.first { $0.measure == .paths }
            // Landlock tells ports apart from version 4 on (Linux 6.7).
            if ["version 1", "version 2", "version 3"].contains(paths?.detail) {
                allowed.insert("connect to another port")
            }
            for (name, error) in run.findings.escapes where !allowed.contains(name) {
                #expect([EPERM, EACCES, EXDEV, ENOSYS].contains(error), "\(name): \(error)")
            }
            #expect(run.findings.duties.count == 8)
            for (name, error) in run.findings.duties { #expect(error == 0, "\(name): \(error)") }
            #expect(run.outside == ["file", "file2", "file3", "file4", "readable"])
            #expect(run.foreign == "foreign")
        }

        @Test("Without a sandbox the same attempts succeed")
        func control() throws {
            let run = try EscapeRun(.off)
            #expect(run.findings.report?.entries.isEmpty == true)
            let stopped = run.findings.escapes.filter { $0.value != 0 }.keys.sorted()
            // These depend on the machine: its privileges, its kernel and the test's environment.
            let variable: Set = [
                "change its root", "change the owner of a file", "open a device",
                "make a process with clone3", "use the kernel's keys", "get hold of its parent",
                "make a file without a name",
                "give the file that it was handed a name",
            ]
            #expect(variable.isSuperset(of: stopped), "\(stopped)")
            #expect(run.findings.escapes.count - stopped.count >= 35)
            #expect(run.outside != ["file", "file2", "file3", "file4"])
        }

        @Test(
            "A worker's own operations still succeed",
            .enabled(if: Sandbox.isAvailable, "the kernel lacks Landlock"))
        func duties() throws {
            let run = try EscapeRun(.require)
            #expect(run.findings.duties.count == 5)
            for (name, error) in run.findings.duties { #expect(error == 0, "\(name): \(error)") }
        }

        // The processor time of entering is recorded in `bench/results/reliability.md`.
        @Test(
            "Entering takes at most 0.1 MB",
            .enabled(if: Sandbox.isAvailable, "the kernel lacks Landlock"))
        func cost() throws {
            let findings = try EscapeRun(.require).findings
            #expect(findings.anonymousAfter - findings.anonymousBefore <= 100)
        }

        @Test("A kernel without Landlock is reported")
        func oldKernel() throws {
            let run = try EscapeRun(.automatic, landlock: 0)
            #expect(run.findings.refusal == nil)
            let report = try #require(run.findings.report)
            #expect(!report.isComplete)
            let entry = report.entries.first { $0.measure == .paths }
            #expect(entry?.outcome == .unavailable)
            #expect(entry?.detail.contains("version 0") == true)
            #expect("\(report)".hasPrefix("without landlock (not available"))
            // The filter of system calls stops every attempt alone.
            #expect(run.findings.escapes.count == 96)
            for (name, error) in run.findings.escapes {
                #expect([EPERM, EACCES, EXDEV, ENOSYS].contains(error), "\(name): \(error)")
            }
            for (name, error) in run.findings.duties { #expect(error == 0, "\(name): \(error)") }
            #expect(run.outside == ["file", "file2", "file3", "file4"])
            #expect(run.foreign == "foreign")
        }

        @Test("A required sandbox is refused on a kernel without Landlock, before any work")
        func requiredOnOldKernel() throws {
            let run = try EscapeRun(.require, landlock: 0)
            #expect(run.findings.refusal?.contains("landlock") == true)
            #expect(run.findings.refusal?.contains("the sandbox auto") == true)
            #expect(run.findings.escapes.isEmpty && run.findings.duties.isEmpty)
        }

        @Test("A report survives a JSON round trip and describes itself in one line")
        func report() throws {
            var report = SandboxReport(mode: .automatic)
            report.entries = SandboxMeasure.allCases.map {
                .init(measure: $0, outcome: .applied, detail: $0 == .paths ? "version 7" : "")
            }
            #expect(report.isComplete)
            #expect(
                "\(report)"
                    == "no-new-privs, descriptors, rlimits, dumpable, landlock (version 7), "
                    + "capabilities, seccomp")
            report.entries.removeLast()
            #expect(!report.isComplete)
            let bytes = try JSONEncoder().encode(report)
            #expect(try JSONDecoder().decode(SandboxReport.self, from: bytes) == report)
        }
    }
#endif
