import AttachmentContainer
import Foundation
import Randomness

/// Publishes, reuses, pins, forgets and prunes at random, and keeps a journal.
struct WritingActor: Actor {
    let container: SharedContainer
    let name: String
    let identifiers: [String]
    let pictures: Int
    let grace: Int
    var randomness: SplitMix64
    private var publications = 0

    init(
        container: SharedContainer, name: String, identifiers: [String], pictures: Int, grace: Int,
        randomness: SplitMix64
    ) {
        self.container = container
        self.name = name
        self.identifiers = identifiers
        self.pictures = pictures
        self.grace = grace
        self.randomness = randomness
    }

    mutating func step() throws {
        let identifier = identifiers[Int.random(in: identifiers.indices, using: &randomness)]
        switch Int.random(in: 0..<100, using: &randomness) {
        case ..<50: try publish(identifier, reusing: false)
        case ..<80: try publish(identifier, reusing: true)
        case ..<85: try touch { () throws(ContainerError) in try container.pin(identifier) }
        case ..<91: try touch { () throws(ContainerError) in try container.unpin(identifier) }
        case ..<95:
            Journal.write("forget", identifier)
            try container.forget(identifier)
            Journal.write("done")
        default:
            // Without a limit on notifications, only unreferenced files are removed.
            let policy = try PruningPolicy(gracePeriod: .seconds(grace))
            try touch { () throws(ContainerError) in
                var failure: ContainerError?
                try container.prune(policy) { event in
                    if case .failure(let error) = event { failure = error }
                }
                if let failure { throw failure }
            }
        }
    }

    private mutating func publish(_ identifier: String, reusing isReusing: Bool) throws {
        publications += 1
        // Identifies the publication among all processes.
        let category = "\(name).\(ProcessInfo.processInfo.processIdentifier).\(publications)"
        let picture = FakePicture(number: Int.random(in: 0..<pictures, using: &randomness))
        Journal.write("publish", identifier, category)
        let began = ContinuousClock.now
        do {
            if try !isReusing
                || !picture.republish(identifier, category: category, in: container)
            {
                try picture.publish(identifier, category: category, in: container)
            }
            Journal.write("done")
        } catch let error as ContainerError
            where error.code == .missingRendition
            && began.duration(to: .now) > .seconds(grace)
        {
            // The machine was so busy that renditions were pruned meanwhile; nothing is published.
            Journal.write("refused")
        }
    }

    private func touch(_ body: () throws(ContainerError) -> Void) throws {
        Journal.write("touch")
        try body()
        Journal.write("done")
    }

    func finish() {}
}
