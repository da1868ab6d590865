import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import AttachmentTransfer
import Foundation
import OriginServer
import Testing
import TransferProtocol
import WorkerProtocol

@Suite("The transfer process", .timeLimit(.minutes(1)))
struct TransferProcessTests {
    @Test("Transfers of a killed process end typed, and the next one starts another")
    func killed() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) { fixture in
            let codes = await withTaskGroup(of: FetchError.Code?.self) { group in
                for number in 0..<4 {
                    group.addTask { await fixture.failure(origin.url("/drip?\(number)")) }
                }
                while origin.requests.count < 4 { usleep(10_000) }
                for process in fixture.fetcher.processNumbers { kill(process, SIGKILL) }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes == Array(repeating: .fetcherLost, count: 4))
            #expect(await fixture.failure(origin.url("/file")) == nil)
            let left = try fixture.names("incoming")
            #expect(left.isEmpty)
        }
    }

    @Test("No process and no descriptor is left behind")
    func leftovers() async throws {
        let origin = try Origin()
        let count = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        var processes: [pid_t] = []
        for round in 0..<2 {
            let before = try count()
            try await FetchFixture.with(origin) { fixture in
                for number in 0..<5 {
                    _ = await fixture.failure(origin.url("/file?cache=no-store&n=\(number)"))
                    _ = await fixture.failure(origin.url("/short?\(number)"))
                }
                processes += fixture.fetcher.processNumbers
                let left = try fixture.names("incoming")
                #expect(left.isEmpty)
            }
            // The first round opens what the process keeps.
            if round > 0 { #expect(try count() <= before) }
        }
        #expect(processes.count == 2)
        for process in processes { #expect(kill(process, 0) != 0) }
    }

    @Test("A body far over the ceiling costs neither process memory")
    func memory() async throws {
        let origin = try Origin()
        try await FetchFixture.with(origin) {
            $0.maximumBytes = .megabytes(50)
        } _: { fixture in
            _ = await fixture.failure(origin.url("/file"))
            let process = try #require(fixture.fetcher.processNumbers.first)
            let before = try #require(ProcessStatus(of: "self")?.anonymous)
            let sampling = Task {
                var peak = 0
                while !Task.isCancelled {
                    peak = max(peak, ProcessStatus(of: "\(process)")?.anonymous.bytes ?? 0)
                    try? await Task.sleep(for: .milliseconds(2))
                }
                return peak
            }
            let url = origin.url("/huge?bytes=300000000&silent=1")
            #expect(await fixture.failure(url) == .tooLarge)
            #expect(await fixture.failure(origin.url("/huge?bytes=49938432")) == nil)
            sampling.cancel()
            let peak = await sampling.value
            let growth = try #require(ProcessStatus(of: "self")?.anonymous).bytes - before.bytes
            print(
                "transfer process: \(ByteCount(peak)) anonymous at most; supervisor grew by \(growth) B"
            )
            #expect(peak > 0 && peak < 8_000_000)
            #expect(growth < 8_000_000)
        }
    }

    @Test("Processes that break the protocol end their transfers typed")
    func fakes() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let foreign = #"{"ended":{"_0":77,"_1":{"failure":{"_0":{"code":"late","reason":""}}}}}"#
        let frame = "\\0\\0\\0\\\(String(foreign.utf8.count, radix: 8))"
        for (number, script) in [
            "exit 3", "printf 'garbage'; sleep 30", "sleep 30",
            "printf '\(frame)'; printf '%s' '\(foreign)'; sleep 30",
        ].enumerated() {
            let program = folder.appending(path: "fake\(number)")
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: program.path)
            let client = TransferClient(
                TransferConfiguration(
                    addresses: AddressGuard(), authorities: nil, sandbox: .off,
                    limits: ResourceLimits()), executable: program)
            var request = TransferRequest(url: "https://example.com/", maximumBytes: 1)
            request.limits.milliseconds = 100
            let output = try OwnedDescriptor(unnamedFileIn: folder.path)
            let failure = await #expect(throws: TransferFailure.self) {
                _ = try await client.perform(request, to: output)
            }
            #expect(failure?.code == .lost, "\(script)")
            await client.close()
        }
    }

    @Test("An object is put with a signature, and its body can be sent and received")
    func store() async throws {
        let origin = try Origin()
        let client = TransferClient(
            TransferConfiguration(
                addresses: nil, ports: [origin.port], authorities: nil, sandbox: .automatic,
                limits: ResourceLimits()))
        let folder = FileManager.default.temporaryDirectory.path
        let body = try OwnedDescriptor(unnamedFileIn: folder)
        let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try bytes.withUnsafeBytes { buffer in
            try #require(write(body.descriptor, buffer.baseAddress, buffer.count) == buffer.count)
        }
        var request = TransferRequest(url: origin.url("/bucket/key"), maximumBytes: 1000)
        request.method = .put
        request.bodyLength = bytes.count
        request.signature = .init(scope: "aws:amz:us-east-1:s3", key: "KEY", secret: "SECRET")
        request.headers = [
            .init("x-amz-content-sha256", ContentDigest(of: bytes).rawValue),
            .init("Content-Type", "image/jpeg"),
        ]
        request.storedStatuses = nil
        request.reportedHeaders = ["etag"]
        let output = try OwnedDescriptor(unnamedFileIn: folder)
        let response = try await client.perform(request, to: output, body: body)
        var answer = [UInt8](repeating: 0, count: 100)
        let count = pread(output.descriptor, &answer, answer.count, 0)
        #expect(response.status == 200 && response.bytes == count)
        #expect(response.headers["etag"] == "\"put\"")
        // The origin reports the CRC of the body and if the request was signed.
        #expect(
            String(decoding: answer[..<count], as: UTF8.self) == "stored \(Self.crc32(bytes)) 1")
        #expect(client.sandbox?.entries.isEmpty == false)
        await client.close()
    }

    /// ISO 3309, as zlib computes it.
    private static func crc32(_ bytes: Data) -> UInt32 {
        var value = ~UInt32(0)
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = (value >> 1) ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~value
    }

    @Test("A missing program is reported by name")
    func missing() async throws {
        let fetcher = try AttachmentFetcher(
            executable: URL(fileURLWithPath: "/nonexistent/program"))
        let error = await #expect(throws: FetchError.self) {
            _ = try await fetcher.fetch("https://example.com/")
        }
        #expect(error?.code == .fetcherLost)
        await fetcher.close()
    }
}
