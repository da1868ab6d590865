import AttachmentModel
import Foundation
import Testing

@testable import AttachmentWorker

extension PoolSuites {
    @Suite(
        "Workers killed by a control group",
        .enabled(if: Machine.hasControlGroups, Machine.withoutControlGroups))
    struct RepeatedRungTests {
        /// A worker that crosses the cap while fewer than `kills` have done so.
        ///
        /// Below its first rung it has another one, whose answer is "unsupported", or none.
        private func worker(_ fixture: PoolFixture, kills: Int, hasLower: Bool) throws -> URL {
            let below = hasLower ? AttachmentError.Code.unsupported : .overCap
            return try fixture.fakeWorker(
                """
                send(ready)
                _, below, *_ = receive()
                if below:
                    if \(hasLower ? "True" : "False"):
                        send(started("reduced"))
                    failed[1]["code"] = "\(below.rawValue)"
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
                (Enforcement.cgroup, 1, false, AttachmentError.Code.corrupt, 1),
                (.cgroup, 1, true, .corrupt, 1), (.cgroup, 9, false, .killed, 2),
                (.cgroup, 9, true, .unsupported, 2), (.monitor, 9, false, .killed, 1),
                (.monitor, 9, true, .unsupported, 1),
            ])
        func repetition(
            enforcement: Enforcement, kills: Int, hasLower: Bool, code: AttachmentError.Code,
            losses: Int
        ) async throws {
            try await PoolFixture.with { fixture in
                let program = try worker(fixture, kills: kills, hasLower: hasLower)
                try await fixture.withPool(by: enforcement, executable: program) { pool in
                    let error = await fixture.error(of: pool, PoolFixture.sample("still-life.png"))
                    #expect(error?.code == code, "\(error?.detailedDescription ?? "none")")
                    #expect(pool.statistics.lost == losses)
                }
            }
        }
    }
}
