import AttachmentModel
import Foundation
import Testing

@testable import AttachmentWorker

extension PoolSuites {
    @Suite(
        "Workers killed on their lowest rung",
        .enabled(if: Machine.hasControlGroups, Machine.withoutControlGroups))
    struct RepeatedRungTests {
        /// A worker with a single rung that crosses the cap while fewer than `kills` have done so.
        private func worker(_ fixture: PoolFixture, kills: Int) throws -> URL {
            try fixture.fakeWorker(
                """
                send(ready)
                _, below, *_ = receive()
                if below:
                    failed[1]["code"] = "\(AttachmentError.Code.overCap.rawValue)"
                    send(failed)
                    receive()
                send(started("streamed"))
                with open(here + "/kills", "a+b") as killed:
                    if killed.tell() < \(kills):
                        killed.write(b"x")
                        killed.flush()
                        bytearray(os.urandom(256 << 20))
                send(failed)
                """)
        }

        @Test(
            "Only a control group's kill is followed by a second worker for the same rung",
            arguments: [
                // The second worker answers.
                (Enforcement.cgroup, 1, AttachmentError.Code.corrupt, 1),
                (.cgroup, 9, .killed, 2),
                (.monitor, 9, .killed, 1),
            ])
        func repetition(
            enforcement: Enforcement, kills: Int, code: AttachmentError.Code, losses: Int
        ) async throws {
            try await PoolFixture.with { fixture in
                let program = try worker(fixture, kills: kills)
                try await fixture.withPool(by: enforcement, executable: program) { pool in
                    let error = await fixture.error(of: pool, PoolFixture.sample("still-life.png"))
                    #expect(error?.code == code, "\(error?.detailedDescription ?? "none")")
                    #expect(pool.statistics.lost == losses)
                }
            }
        }
    }
}
