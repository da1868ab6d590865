import AttachmentContainer
import Foundation
import Testing

@Suite("Scheduled prunings", .timeLimit(.minutes(1)))
struct PruningTurnTests {
    @Test("One at a time has the turn, and the time is that of the last one that finished")
    func turn() throws {
        let fixture = try ContainerFixture()
        #expect(try PruningTurn.last(in: fixture.container) == nil)
        do {
            let turn = try #require(try PruningTurn.take(in: fixture.container))
            #expect(try PruningTurn.take(in: fixture.container) == nil)
            withExtendedLifetime(turn) {}
        }
        // It was not finished.
        #expect(try PruningTurn.last(in: fixture.container) == nil)
        try #require(try PruningTurn.take(in: fixture.container)).finish()
        let last = try #require(try PruningTurn.last(in: fixture.container))
        #expect(abs(last.timeIntervalSinceNow) < 60)
        #expect(try PruningTurn.take(in: fixture.container) != nil)
        fixture.expectSound()
    }

    @Test("A pruning that is cancelled at any point leaves a sound container to the next one")
    func cancelled() throws {
        let policy = try PruningPolicy(maximumAge: .seconds(48 * 3600))
        var isOver = false
        for limit in 0..<1_000 where !isOver {
            let fixture = try ContainerFixture()
            try fixture.publishAged(hours: [60, 50, 9, 8])
            var calls = 0
            let report = try fixture.container.prune(
                policy,
                isCancelled: {
                    calls += 1
                    return calls > limit
                }, report: { _ in })
            isOver = calls <= limit
            #expect(try fixture.identifiers().suffix(2) == ["2", "3"], "\(limit)")
            #expect(isOver || report.failures == 0)
            #expect(!fixture.findings().contains { $0.code == .missingRendition })
            try fixture.prune(policy)
            #expect(try fixture.identifiers() == ["2", "3"])
            fixture.expectSound()
        }
        #expect(isOver)
    }
}
