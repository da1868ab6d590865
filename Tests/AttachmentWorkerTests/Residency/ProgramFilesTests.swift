import AttachmentContainer
import Foundation
import PageCache
import Testing

@testable import AttachmentWorker

@Suite("Files of programs", .timeLimit(.minutes(1)))
struct ProgramFilesTests {
    @Test("Libraries have their absolute paths; the kernel's own is no file")
    func parsed() {
        let text = """
            \tlinux-vdso.so.1 (0x00007f4446c24000)
            \tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f4445631000)
            \tlibmissing.so => not found
            \t/lib64/ld-linux-x86-64.so.2 (0x00007f4446c26000)

            """
        #expect(
            ProgramFiles.libraries(in: text) == [
                "/lib/x86_64-linux-gnu/libz.so.1", "/lib64/ld-linux-x86-64.so.2",
            ])
    }

    @Test("The list has each file that an idle worker maps", arguments: WorkerProgram.allCases)
    func listed(_ program: WorkerProgram) async throws {
        let path = try #require(WorkerLaunch.installedExecutables()[program]?.path)
        let files = await ProgramFiles.found(of: path, environment: WorkerLaunch.environment)
        #expect(files.paths.first == path)
        #expect(Set(files.paths).count == files.paths.count)
        let found = Set(files.paths.map { Self.realPath($0) })
        let mapped = try await PoolFixture.with { fixture in
            try await fixture.withPool(
                by: .monitor, executable: program == .libvips ? URL(fileURLWithPath: path) : nil
            ) { pool in
                try await pool.warmUp()
                let worker = try #require(PoolFixture.workers.first)
                let maps = try #require(KernelFile.text("/proc/\(worker)/maps"))
                return maps.split(separator: "\n").compactMap { line in
                    line.split(separator: " ").last.map(String.init)
                }.filter { $0.contains(".so") || $0.hasSuffix(program.rawValue) }
            }
        }
        let missing = Set(mapped.filter { $0.hasPrefix("/") }.map(Self.realPath))
            .subtracting(found)
        #expect(!mapped.isEmpty)
        #expect(missing.isEmpty)
    }

    @Test("A missing program and a script are listed alone, and not started")
    func alone() async throws {
        let missing = await ProgramFiles.found(of: "/nonexistent/program", environment: [:])
        #expect(missing.paths == ["/nonexistent/program"])
        try await PoolFixture.with { fixture in
            let script = fixture.folder.appending(path: "script")
            let mark = fixture.folder.appending(path: "started")
            try Data("#!/bin/sh\n: >\(mark.path)\n".utf8).write(to: script)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: script.path)
            let files = await ProgramFiles.found(of: script.path, environment: [:])
            #expect(files.paths == [script.path])
            #expect(!FileManager.default.fileExists(atPath: mark.path))
        }
    }

    @Test("Evicted pages of a file are requested again")
    func requested() async throws {
        try await PoolFixture.with { fixture in
            let path = fixture.folder.appending(path: "library").path
            try Data(count: 4 << 20).write(to: URL(fileURLWithPath: path))
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            defer { close(descriptor) }
            #expect(ResidentFiles.isCached(path))
            let isCached = { ResidentFiles.isCached(path) }
            guard PageCache.evict(descriptor, isCached: isCached) else {
                try Test.cancel("files in \(fixture.folder.path) stay in memory")
            }
            ResidentFiles.request([path], atMost: 4 << 20)
            // The requests do not wait for the disk.
            while !isCached() { try await Task.sleep(for: .milliseconds(1)) }
            #expect(PageCache.evict(descriptor, isCached: isCached))
            ResidentFiles.request([path], atMost: (4 << 20) - 1)
            #expect(!isCached())
        }
    }

    private static func realPath(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
