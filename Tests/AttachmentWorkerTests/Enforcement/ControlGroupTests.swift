import AttachmentContainer
import Foundation
import Testing

@testable import AttachmentWorker

/// Features of this machine that tests depend on.
enum Machine {
    static let hierarchy = try? ControlGroupHierarchy.delegated()
    static let hasControlGroups = hierarchy != nil
    static let withoutControlGroups: Comment = "this machine has no writable control group"
}

@Suite(
    "Control groups", .enabled(if: Machine.hasControlGroups, Machine.withoutControlGroups),
    .serialized, .timeLimit(.minutes(1)))
struct ControlGroupTests {
    private func run(_ command: [String]) throws -> (status: Int32, wasKilled: Bool) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, process.terminationReason == .uncaughtSignal)
    }

    private func withGroup(_ limit: ByteCount, _ body: (ControlGroup) throws -> Void) throws {
        let hierarchy = try ControlGroupHierarchy.delegated()
        let group = try hierarchy.makeGroup(limit: limit)
        defer { #expect(group.remove()) }
        try body(group)
        #expect(group.remove())
        #expect(access(group.path, F_OK) != 0)
    }

    /// A command that allocates the given number of bytes: `tail` buffers a line without an end.
    private func hold(_ bytes: String) -> [String] {
        ["/bin/sh", "-c", "head -c \(bytes) /dev/zero | tail; exit $?"]
    }

    @Test("A process over the limit is killed and counted")
    func kills() throws {
        try withGroup(.mebibytes(16)) { group in
            _ = try run(group.launchPrefix + hold("64M"))
            let counters = group.counters
            #expect(counters.kills >= 1)
            if let peak = counters.peak { #expect(peak <= .mebibytes(16)) }
        }
    }

    @Test("A process under the limit runs inside the group with its arguments")
    func runs() throws {
        try withGroup(.mebibytes(64)) { group in
            let end = try run(
                group.launchPrefix + [
                    "/bin/sh", "-c", #"grep -q "${1##*/}" /proc/self/cgroup && [ "$2" = 'a b' ]"#,
                    "sh", group.path, "a b",
                ])
            #expect(end == (0, false))
            #expect(group.counters.kills == 0)
            if let peak = group.counters.peak { #expect(peak > ByteCount(50_000)) }
        }
    }

    @Test("Removing a group kills its processes")
    func removal() throws {
        try withGroup(.mebibytes(64)) { group in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments =
                Array(group.launchPrefix.dropFirst()) + ["/bin/sh", "-c", "sleep 600 & sleep 600"]
            try process.run()
            // Wait until it is in the group or has exited.
            while process.isRunning, KernelFile.text("\(group.path)/cgroup.procs")?.isEmpty != false
            {
                usleep(1000)
            }
            #expect(group.remove())
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal)
        }
    }

    @Test("Groups of exited supervisors are removed; those of others and of other containers stay")
    func sweep() throws {
        let hierarchy = try ControlGroupHierarchy.delegated()
        let own = try hierarchy.makeGroup(limit: .mebibytes(64))
        defer { own.remove() }
        // No process 1 has this start time.
        let space = GroupName.Owner.current.space
        let gone = GroupName(owner: .init(space: space, process: 1, started: .max), label: "gone")
        let contained = GroupName(
            owner: .init(space: space + 1, process: 1, started: .max), label: "contained")
        let foreign = "thimble-of-somebody-else"
        for name in [gone.text, contained.text, foreign] {
            #expect(mkdir("\(hierarchy.folder)/\(name)", 0o755) == 0)
        }
        defer {
            for name in [contained.text, foreign] { rmdir("\(hierarchy.folder)/\(name)") }
        }
        #expect(hierarchy.removeStale(within: .zero) == 0)
        #expect(access("\(hierarchy.folder)/\(gone.text)", F_OK) == 0)
        #expect(hierarchy.removeStale(within: .seconds(10)) == 1)
        #expect(access(own.path, F_OK) == 0)
        #expect(access("\(hierarchy.folder)/\(foreign)", F_OK) == 0)
        #expect(access("\(hierarchy.folder)/\(contained.text)", F_OK) == 0)
        #expect(GroupName(contained.text) == contained)
        #expect(access("\(hierarchy.folder)/\(gone.text)", F_OK) != 0)
    }
}

@Suite("Finding control groups")
struct ControlGroupMountTests {
    private let version1 = """
        26 23 0:22 / /sys/fs/cgroup/cpu rw,relatime shared:7 - cgroup cgroup rw,cpu
        27 23 0:23 / /sys/fs/cgroup/memory rw,relatime shared:8 - cgroup cgroup rw,memory
        """

    @Test("Both versions are recognised, version 2 first")
    func versions() {
        let mounts = version1 + "\n28 23 0:24 / /unified rw - cgroup2 cgroup2 rw"
        let found = ControlGroupMount.all(mounts: mounts, groups: "4:memory:/\n3:cpu:/x\n0::/")
        #expect(
            found == [
                ControlGroupMount(version: .v2, folder: "/unified"),
                ControlGroupMount(version: .v1, folder: "/sys/fs/cgroup/memory"),
            ])
    }

    @Test("A missing memory controller is an error when requested by name")
    func nothing() {
        #expect(ControlGroupMount.all(mounts: "", groups: "").isEmpty)
        #expect(
            ControlGroupMount.all(
                mounts: "26 23 0:22 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu",
                groups: "3:cpu:/x"
            ).isEmpty)
        #expect(throws: EnforcementError.self) { try ControlGroupHierarchy.delegated(in: []) }
    }

    @Test("A process that moved into a subgroup still creates groups beside it")
    func home() {
        let delegated = "/sys/fs/cgroup/user.slice/run.scope"
        #expect(ControlGroupHierarchy.home(of: delegated) == delegated)
        let moved = delegated + "/" + GroupName.supervisor.text
        #expect(ControlGroupHierarchy.home(of: moved) == delegated)
    }

    @Test("In a container, the mount starts at the container's own group")
    func container() {
        let mounts = "27 23 0:23 /docker/1 / rw - cgroup cgroup rw,memory"
        let found = ControlGroupMount.all(mounts: mounts, groups: "4:memory:/docker/1")
        #expect(found == [ControlGroupMount(version: .v1, folder: "/")])
    }

    @Test("A folder without the controller or without write permission is refused with reasons")
    func refused() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("cpu io".utf8).write(to: folder.appending(path: "cgroup.controllers"))
        let error = #expect(throws: EnforcementError.self) {
            try ControlGroupHierarchy.delegated(in: [
                ControlGroupMount(version: .v2, folder: folder.path),
                ControlGroupMount(version: .v1, folder: "/proc/1"),
            ])
        }
        #expect(error?.reason.contains("no memory controller") == true)
        #expect(error?.reason.contains(", and mkdir in /proc/1") == true)
        #expect(error?.description.contains("Delegate=yes") == true)
    }
}
