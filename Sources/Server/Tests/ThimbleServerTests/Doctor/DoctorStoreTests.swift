@testable import AttachmentService
import Foundation
import Testing
import ThimbleOptions

@Suite("Stores and clocks of thimble-server doctor", .serialized, .timeLimit(.minutes(2)))
struct DoctorStoreTests {
    @Test("A folder is written, read and left empty")
    func folder() throws {
        try CheckupFolder.with { folder throws in
            let check = {
                try folder.check(
                    "--publish", folder.store.path, "--publish-url", "https://media.example/r")
            }
            #expect(try check().isOK("store"))
            #expect(!FileManager.default.fileExists(atPath: folder.store.path))
            try Data().write(to: folder.store)
            #expect(try check().fails("store", remedy: "check free space and permissions"))
            try FileManager.default.removeItem(at: folder.store)
            try FileManager.default.createDirectory(
                at: folder.store, withIntermediateDirectories: true)
            let mended = try check()
            #expect(mended.isOK("store"))
            #expect(mended["store"].first?.found.contains("written, read and removed") == true)
        }
    }

    @Test("A bucket needs credentials, permissions and a clock like this machine's")
    func bucket() throws {
        try CheckupFolder.with { folder throws in
            let store = try StoreStub(in: folder.url.appending(path: "objects"))
            defer { store.end() }
            let check = {
                try folder.check(
                    "--publish", "s3://pictures/r", "--s3-endpoint", store.url, "--s3-region",
                    "us-east-1")
            }
            #expect(try check().fails("store", remedy: "AWS_ACCESS_KEY_ID"))
            folder.environment["AWS_ACCESS_KEY_ID"] = "AKIAEXAMPLE"
            folder.environment["AWS_SECRET_ACCESS_KEY"] = "secret"
            let mended = try check()
            #expect(mended.isOK("store") && mended.isOK("clock") && mended.code == 0)
            #expect(mended["clock"].first?.found.contains("the store's") == true)
            try store.fail(#"[{"kind":"error","method":"PUT","status":403,"code":"AccessDenied"}]"#)
            #expect(try check().fails("store", remedy: "allow these credentials to put"))
            try store.fail(#"[{"kind":"error","method":"PUT","status":404,"code":"NoSuchBucket"}]"#)
            #expect(try check().fails("store", remedy: "create the bucket"))
            try store.fail(
                #"[{"kind":"error","status":403,"skew":7200,"code":"AccessDenied"}]"#
            )
            let refused = try check()
            #expect(refused.fails("store", remedy: "set this machine's clock"))
            #expect(refused.fails("clock", remedy: "set the clock"))
            try store.fail(#"[{"kind":"skew","seconds":-120}]"#)
            let behind = try check()
            #expect(behind.isOK("store") && behind.warns("clock", remedy: "set the clock"))
            #expect(behind["clock"].first?.found.contains("ahead of the store's") == true)
            try store.fail("[]")
            #expect(try check().code == 0)
        }
    }

    @Test("A signal ends the checks after the running one, and nothing stays behind")
    func interrupted() throws {
        try CheckupFolder.with { folder throws in
            let store = try StoreStub(in: folder.url.appending(path: "objects"))
            defer { store.end() }
            folder.environment["AWS_ACCESS_KEY_ID"] = "AKIAEXAMPLE"
            folder.environment["AWS_SECRET_ACCESS_KEY"] = "secret"
            try store.fail(#"[{"kind":"slow","method":"PUT","seconds":2}]"#)
            let before = try folder.names
            let process = Process()
            process.executableURL = TestServer.products.appending(path: "thimble-server")
            process.arguments = [
                "doctor", "--container", folder.container.path, "--publish", "s3://pictures/r",
                "--s3-endpoint", store.url, "--s3-region", "us-east-1",
            ]
            process.environment =
                ProcessInfo.processInfo.environment.merging(folder.environment) { $1 }
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            while process.isRunning, try folder.names == before {
                Thread.sleep(forTimeInterval: 0.01)
            }
            kill(process.processIdentifier, SIGINT)
            process.waitUntilExit()
            #expect(process.terminationStatus == 130)
            #expect(try folder.names == before)
        }
    }

    @Test("A clock that moves during the checks is said, and a year before the build")
    func clock() {
        let start = ClockReading(date: Date(timeIntervalSince1970: 1_795_000_000), instant: .now)
        func after(_ seconds: Double, moved shift: Double = 0) -> ClockReading {
            ClockReading(
                date: start.date + seconds + shift, instant: start.instant + .seconds(seconds))
        }
        func diagnosis(_ end: ClockReading, built: Date? = nil) -> Diagnosis {
            ClockCheck.diagnosis(from: start, to: end, built: built, difference: nil)
        }
        #expect(diagnosis(after(3)).status == .ok)
        let hour = diagnosis(after(3, moved: -3600))
        #expect(hour.status == .warning && hour.found.contains("moved by -3600 s"))
        #expect(diagnosis(after(3, moved: 3600)).status == .warning)
        #expect(diagnosis(after(3), built: start.date + 86_400).status == .failed)
        #expect(diagnosis(after(3), built: start.date - 86_400).status == .ok)
    }
}

/// The S3 server of the store's tests, which fails on request.
private final class StoreStub {
    let url: String
    private let port: Int
    private let process = Process()
    private let input = Pipe()

    init(in folder: URL) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            TestServer.package.appending(path: "Tests/AttachmentStoreTests/s3_stub.py").path,
            folder.path,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = try #require(Int(line.prefix { $0.isNumber }))
        url = "http://127.0.0.1:\(port)"
    }

    /// Sets the faults of all further requests.
    func fail(_ faults: String) throws {
        let connection = try RawConnection(port: port)
        try connection.send("POST", "/_faults", body: Array(faults.utf8))
        try #require(try connection.response().status == 204)
    }

    func end() {
        // It ends with its input.
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
