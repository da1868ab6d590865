import AttachmentContainer
import NotificationAdapters
import Testing

@Suite("The rhythm of prunings in a service extension")
struct PruningRhythmTests {
    @Test("A retention of minutes is enforced by later notifications of the same process too")
    func minutes() throws {
        let policy = try PruningPolicy.retaining(for: .seconds(600))
        var rhythm = PruningRhythm()
        let start = ContinuousClock.now
        let due = [0, 1, 299, 300, 301, 599, 600].filter {
            rhythm.isDue(policy, at: start + .seconds($0))
        }
        #expect(due == [0, 300, 600])
    }

    @Test("Without a maximum age a process prunes once a day")
    func days() throws {
        var rhythm = PruningRhythm()
        let start = ContinuousClock.now
        let policy = try PruningPolicy()
        let due = [0, 3600, 86_399, 86_400].filter {
            rhythm.isDue(policy, at: start + .seconds($0))
        }
        #expect(due == [0, 86_400])
    }
}
