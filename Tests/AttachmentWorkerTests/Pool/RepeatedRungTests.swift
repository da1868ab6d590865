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

        @Test("A worker that a control group killed once is repeated on the same rung")
        func once() async throws {
            try await PoolFixture.with { fixture in
                let program = try worker(fixture, kills: 1)
                try await fixture.withPool(by: .cgroup, executable: program) { pool in
                    let error = await fixture.error(of: pool, PoolFixture.sample("still-life.png"))
                    // The answer of the repeated worker.
                    #expect(error?.code == .corrupt, "\(error?.detailedDescription ?? "none")")
                    #expect(pool.statistics.lost == 1)
                }
            }
        }

        @Test("It is repeated only once")
        func twice() async throws {
            try await PoolFixture.with { fixture in
                let program = try worker(fixture, kills: 9)
                try await fixture.withPool(by: .cgroup, executable: program) { pool in
                    let error = await fixture.error(of: pool, PoolFixture.sample("still-life.png"))
                    #expect(error?.code == .killed, "\(error?.detailedDescription ?? "none")")
                    #expect(error?.reason.contains("on the rung streamed") == true)
                    #expect(pool.statistics.lost == 2)
                }
            }
        }

        @Test("A limit that counts only the worker's memory is not tried again")
        func monitor() async throws {
            try await PoolFixture.with { fixture in
                let program = try worker(fixture, kills: 9)
                try await fixture.withPool(by: .monitor, executable: program) { pool in
                    let error = await fixture.error(of: pool, PoolFixture.sample("still-life.png"))
                    #expect(error?.code == .killed, "\(error?.detailedDescription ?? "none")")
                    #expect(pool.statistics.lost == 1)
                }
            }
        }
    }
}
