#if os(Linux) && canImport(Glibc)
    import Foundation
    import Testing

    @Suite("The heap of a worker", .timeLimit(.minutes(1)))
    struct ZeroedHeapTests {
        @Test(
            "Blocks above 4 KiB are zeroed",
            arguments: ["", "glibc.malloc.mmap_threshold=65536:glibc.malloc.tcache_count=0"])
        func zeros(tunables: String) throws {
            let process = program()
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

        @Test("A block beyond a confined range ends the process with its status")
        func confined() throws {
            let process = program()
            process.arguments = ["confined"]
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            let bytes = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 65)
            #expect(String(decoding: bytes, as: UTF8.self).contains("of 1048576 bytes was refused"))
        }

        private func program() -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                .resolvingSymlinksInPath().deletingLastPathComponent()
                .appending(path: "heap-zeros")
            return process
        }
    }
#endif
