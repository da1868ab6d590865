import AttachmentContainer
import AttachmentModel
import Foundation
import WorkerProtocol
import Testing

@testable import AttachmentWorker

extension PoolSuites {
    @Suite("A compromised worker")
    struct HostileWorkerTests {
        private static let attempts = 1000

        @Test(
            "It changes no byte of another attachment in 1,000 attempts",
            .enabled(if: Sandbox.isAvailable, "the kernel lacks Landlock"))
        func others() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { pool in
                    for name in ["lake-baseline.jpg", "still-life.png", "aurora-animated.gif"] {
                        _ = try await pool.process(PoolFixture.sample(name), identifier: name)
                    }
                }
                try fixture.container.pin("still-life.png")
                let before = try fixture.contents()
                #expect(before.count > 10)

                let program = fixture.folder.appending(path: "thimble-worker")
                try FileManager.default.copyItem(at: Self.program, to: program)
                var refused = 0
                var digests: [String: ContentDigest] = [:]
                try await fixture.withPool(timeout: .seconds(60), executable: program) { pool in
                    for number in 0..<Self.attempts {
                        let path = try fixture.attachment(number)
                        digests["hostile \(number)"] = try AttachmentFile(path: path).digest()
                        do throws(AttachmentError) {
                            _ = try await pool.process(path, identifier: "hostile \(number)")
                        } catch {
                            refused += 1
                            #expect(error.file == path)
                            #expect(!error.detailedDescription.contains("\u{1B}"))
                            #expect(
                                !error.reason.contains("escapes") || error.reason == "escapes: 0",
                                "\(number): \(error.reason)")
                            if number % 8 == 0 {
                                #expect(error.reason.contains("renditions"), "\(number): \(error)")
                            }
                        }
                    }
                }
                // Every false answer and every invalid picture was refused.
                #expect(refused >= Self.attempts * 7 / 8)
                let after = try fixture.contents()
                for (name, bytes) in before { #expect(after[name] == bytes, "\(name)") }
                var findings: [Finding] = []
                _ = fixture.container.verify {
                    if case .finding(let finding) = $0, finding.severity == .error {
                        findings.append(finding)
                    }
                }
                #expect(findings.isEmpty)
                // Accepted answers concern its own attachments only.
                for manifest in try fixture.container.manifests() {
                    let manifest = try manifest.get()
                    guard manifest.identifier.hasPrefix("hostile") else { continue }
                    #expect(manifest.source.sha256 == digests[manifest.identifier])
                    #expect(manifest.renditions.allSatisfy { $0.bytes.bytes < 1 << 20 })
                }
            }
        }

        private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "hostile-worker")
    }
}

extension PoolFixture {
    /// A picture that ends in a number, which selects the worker's behaviour.
    fileprivate func attachment(_ number: Int) throws -> String {
        let url = folder.appending(path: "hostile.png")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: Self.sample("still-life.png")))
            .prefix(4096)
        bytes += Data(String(format: "%08d", number).utf8)
        try bytes.write(to: url)
        return url.path
    }

    /// All published files of the container by path.
    fileprivate func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        let names = FileManager.default.enumerator(atPath: container.root.path)
        while let name = names?.nextObject() as? String {
            let url = container.root.appending(path: name)
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
            if !isFolder.boolValue { contents[name] = try Data(contentsOf: url) }
        }
        return contents
    }
}
