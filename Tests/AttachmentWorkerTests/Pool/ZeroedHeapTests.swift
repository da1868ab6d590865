#if os(Linux) && canImport(Glibc)
    import Foundation
    import Testing

    @Suite("The heap of a worker", .timeLimit(.minutes(1)))
    struct ZeroedHeapTests {
        @Test(
            "Blocks above 4 KiB are zeroed",
            arguments: ["", "glibc.malloc.mmap_threshold=65536:glibc.malloc.tcache_count=0"])
        func zeros(tunables: String) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                .resolvingSymlinksInPath().deletingLastPathComponent()
                .appending(path: "heap-zeros")
            process.environment = ["GLIBC_TUNABLES": tunables]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let bytes = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            let dirty = try JSONDecoder().decode([String: Int].self, from: bytes)
            #expect(dirty.count == 6)
            for (function, count) in dirty { #expect(count == 0, "\(function)") }
        }
    }
#endif
