import AttachmentContainer
import Foundation
import Randomness
import Testing

@testable import AttachmentStore

@Suite("Publishers and prunings at once", .timeLimit(.minutes(2)))
struct PublishRaceTests {
    private struct Counts {
        var checked = 0
        var removed = 0
        var missing: [String] = []
        var failures: [String] = []
    }

    /// A container with renditions, and a folder to publish to.
    private final class Fixture: Sendable {
        let root = FileManager.default.temporaryDirectory
            .appending(path: "race-\(UUID().uuidString)")
        let container: SharedContainer
        let renditions: [Manifest.Rendition]
        let counts = Lock(Counts())
        var served: URL { root.appending(path: "served") }

        init(_ count: Int) throws {
            let container = try SharedContainer.create(at: root.appending(path: "container"))
            self.container = container
            var publication = Publication(in: container)
            renditions = try (0..<count).map { number in
                let file = try IncomingFile(in: container)
                try file.append(Data("rendition \(number)".utf8))
                return try publication.add(
                    file, as: .expanded, type: .jpeg, size: PixelSize(width: 4, height: 3))
            }
        }

        deinit { try? FileManager.default.removeItem(at: root) }

        func destination() throws -> StoreDestination {
            try StoreDestination(served.path, S3Settings(), AWSConfiguration([:]))
        }

        func publisher() throws -> ObjectPublisher {
            try ObjectPublisher(
                to: destination(), in: container, access: StoreAccess(AWSConfiguration([:])))
        }

        func isThere(_ rendition: Manifest.Rendition) -> Bool {
            let file = served.appending(path: rendition.file)
            return (try? Data(contentsOf: file))?.count == rendition.bytes.bytes
        }
    }

    @Test("No object is missing within the keep time of its last use, and all are published again")
    func keepTime() async throws {
        let fixture = try Fixture(6)
        let grace = Duration.seconds(1)
        // A use is recorded at most this long before the URL is given out.
        let certain = grace - PublishRun.renewalInterval - .milliseconds(50)
        let end = ContinuousClock.now + .seconds(4)
        try await withThrowingTaskGroup { group in
            for number in 0..<4 {
                // Each with its own memory and its own files, as in different processes.
                let publisher = try fixture.publisher()
                group.addTask {
                    var random = SplitMix64(seed: UInt64(number))
                    while .now < end {
                        let rendition = fixture.renditions[random.below(6)]
                        let start = ContinuousClock.now
                        do {
                            _ = try await publisher.publish(rendition, by: start + .seconds(10))
                            let isThere = fixture.isThere(rendition)
                            if start.duration(to: .now) < certain {
                                fixture.counts.withLock { counts in
                                    counts.checked += 1
                                    if !isThere { counts.missing.append(rendition.file) }
                                }
                            }
                        } catch {
                            fixture.counts.withLock { $0.failures.append("\(error)") }
                        }
                        // Long pauses let objects expire, short ones meet a pruning's removal.
                        try await Task.sleep(
                            for: .milliseconds(random.oneIn(3) ? 1300 : random.below(40)))
                    }
                    await publisher.close()
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    let policy = try PruningPolicy(gracePeriod: grace, keepPublished: .zero)
                    while .now < end {
                        let report = try await ObjectPruning(
                            of: fixture.container, by: policy,
                            access: StoreAccess(AWSConfiguration([:]))
                        ).run { event in
                            guard case .failure(let error) = event else { return }
                            fixture.counts.withLock { $0.failures.append("\(error)") }
                        }
                        fixture.counts.withLock { $0.removed += report.removed.objects }
                        try await Task.sleep(for: .milliseconds(1))
                    }
                }
            }
            try await group.waitForAll()
        }
        let result = fixture.counts.withLock { $0 }
        #expect(result.missing.isEmpty && result.failures.isEmpty, "\(result)")
        #expect(result.checked > 20 && result.removed >= fixture.renditions.count, "\(result)")
    }

    @Test("The command that is killed while it publishes leaves only URLs that answer")
    func killed() throws {
        let run = try StoreShell(
            """
            for name in lake-baseline.jpg still-life.png thimble-alpha.png dunes-grey.jpg; do
                payload $name; payload $name
            done >in.ndjson
            for round in 1 2 3; do
                faults '[{"kind": "slow", "method": "PUT", "seconds": 0.2}]'
                puts=$(grep -c '^PUT' log)
                thimble stage "${OPTIONS[@]}" --width 14$round --s3-region us-east-1 \\
                    --s3-endpoint http://127.0.0.1:$PORT <in.ndjson >out 2>report &
                # Some uploads are done, and others are on their way.
                until [ $(grep -c '^PUT' log) -ge $((puts + round)) ] || ! kill -0 $!; do
                    sleep 0.01
                done
                kill -KILL $!; wait $! 2>/dev/null
                faults '[]'
                statuses out
                stage --width 14$round <in.ndjson >again; echo "code $?"
                echo "$(grep -c 'http://127' again) payloads with a URL"
                statuses again
            done
            echo "unfinished $(find objects -name '.*' -type f | wc -l)"
            thimble container verify --container C >/dev/null; echo "verified $?"
            """)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count { $0 == "code 0" } == 3, "\(run.output)")
        #expect(lines.count { $0 == "8 payloads with a URL" } == 3, "\(run.output)")
        #expect(lines.count { $0 == "status 200" } >= 12, "\(run.output)")
        #expect(lines.allSatisfy { !$0.hasPrefix("status") || $0 == "status 200" })
        #expect(lines.contains("unfinished 0") && lines.contains("verified 0"), "\(run.output)")
    }

    @Test("Two processes publish from one container while it is pruned, and every URL answers")
    func processes() throws {
        let run = try StoreShell(
            """
            /usr/bin/python3 $TESTS/race.py $PORT 8; echo "code $?"
            """)
        #expect(run.output.hasSuffix("code 0\n"), "\(run.output)")
    }
}
