import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
import Testing

@Suite("Watching footprints", .serialized, .timeLimit(.minutes(1)))
struct FootprintWatchTests {
    private func start(holding bytes: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/tail")
        let pipe = Pipe()
        process.standardInput = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let feeder = Process()
        feeder.executableURL = URL(fileURLWithPath: "/bin/sh")
        feeder.arguments = ["-c", "head -c \(bytes) /dev/zero; exec sleep 2"]
        feeder.standardOutput = pipe
        feeder.standardError = FileHandle.nullDevice
        try feeder.run()
        return process
    }

    @Test("A process over the limit is killed soon")
    func kills() throws {
        let process = try start(holding: "200M")
        let watch = FootprintWatch(of: process.processIdentifier, limit: .mebibytes(24))
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(watch.hasKilled && watch.peak > .mebibytes(24))
    }

    @Test("A process under the limit is measured and not killed")
    func leaves() throws {
        let process = try start(holding: "8M")
        let watch = FootprintWatch(of: process.processIdentifier, limit: .mebibytes(24))
        process.waitUntilExit()
        watch.end()
        #expect(process.terminationReason == .exit)
        #expect(!watch.hasKilled && watch.peak > .mebibytes(8) && watch.peak < .mebibytes(24))
    }
}
