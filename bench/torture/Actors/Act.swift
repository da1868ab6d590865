import ArgumentParser
import AttachmentContainer
import Foundation
import Randomness

/// `container-torture act`: runs as one process of a campaign.
struct Act: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run as one process of a campaign.", shouldDisplay: false)

    enum Role: String, ExpressibleByArgument, CaseIterable {
        case writer, reader, pruner, verifier, sealer
    }

    @Argument var role: Role
    @Option var container: String
    @Option var name: String
    @Option var seed: UInt64
    /// Number of notifications of this writer alone, and shared by all.
    @Option var own = 0
    @Option var common = 0
    @Option var pictures = 24
    @Option var grace = 1
    @Option var keep: Int?
    @Option var seconds: Double?
    /// Number of the system call before which it is killed.
    @Option var dieBefore: Int?

    /// Paths of the pictures that a sealer publishes.
    @Option var picture: [String] = []
    /// The key in Base64 that seals them; in the clear without it.
    @Option var key: String?

    func run() throws {
        let root = URL(fileURLWithPath: container)
        let interposer = dieBefore.map { KillingInterposer(before: $0) }
        let shared =
            role == .reader || role == .verifier
            ? try SharedContainer.open(at: root)
            : try SharedContainer.create(at: root, interposer: interposer)
        let end = ContinuousClock.now + .seconds(seconds ?? 3600)
        var actor: any Actor = try make(shared)
        // Exit with the campaign.
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
        case .sealer:
            return try SealingActor(container: shared, name: name, pictures: picture, key: key)
        }
    }
}

protocol Actor {
    mutating func step() throws
    /// Prints the results.
    func finish()
}
