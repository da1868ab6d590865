import ArgumentParser
import AttachmentContainer
import Foundation
import Randomness

/// `container-torture act`: one process of a campaign.
struct Act: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Be one process of a campaign.", shouldDisplay: false)

    enum Role: String, ExpressibleByArgument, CaseIterable {
        case writer, reader, pruner, verifier
    }

    @Argument var role: Role
    @Option var container: String
    @Option var name: String
    @Option var seed: UInt64
    /// The notifications: how many belong to the writer alone, and how many to all.
    @Option var own = 0
    @Option var common = 0
    @Option var pictures = 24
    @Option var grace = 1
    @Option var keep: Int?
    @Option var seconds: Double?
    /// The number of the system call that it is killed before.
    @Option var dieBefore: Int?

    func run() throws {
        let root = URL(fileURLWithPath: container)
        let interposer = dieBefore.map { DyingInterposer(before: $0) }
        let shared =
            role == .reader || role == .verifier
            ? try SharedContainer.open(at: root)
            : try SharedContainer.create(at: root, interposer: interposer)
        let end = ContinuousClock.now + .seconds(seconds ?? 3600)
        var actor: any Actor = try make(shared)
        // A campaign that was stopped leaves nobody behind.
        let campaign = getppid()
        while ContinuousClock.now < end, getppid() == campaign { try actor.step() }
        actor.finish()
    }

    private func make(_ shared: SharedContainer) throws -> any Actor {
        let randomness = SplitMix64(seed: seed)
        switch role {
        case .writer:
            return WritingActor(
                container: shared, name: name,
                identifiers: (0..<own).map { "\(name)-\($0)" } + (0..<common).map { "all-\($0)" },
                pictures: pictures, grace: grace, randomness: randomness)
        case .reader:
            return ReadingActor(
                container: shared, identifiers: (0..<common).map { "all-\($0)" },
                randomness: randomness)
        case .pruner:
            let policy = try PruningPolicy(maximumCount: keep, gracePeriod: .seconds(grace))
            return PruningActor(container: shared, policy: policy)
        case .verifier: return VerifyingActor(container: shared)
        }
    }
}

/// One process of a campaign.
protocol Actor {
    /// Does one thing.
    mutating func step() throws
    /// Tells what it did.
    func finish()
}
