import AttachmentContainer
import Foundation
import Testing

extension ContainerFixture {
    /// Publishes notifications named by index, each with its own pictures and an age in hours.
    func publishAged(hours: [Int]) throws {
        for (number, hours) in hours.enumerated() {
            try publish("\(number)", text: "\(number)")
            try age("\(number)", hours: hours)
        }
    }

    /// Publishes a notification with one shared picture and one of its own; sizes in bytes.
    func publish(_ identifier: String, sharing shared: Int, own: Int) throws {
        var publication = Publication(in: container)
        let renditions = try [
            (Data(repeating: 0x5A, count: shared), RenditionRole.expanded),
            (Data(identifier.utf8) + Data(count: own), .banner),
        ].map { bytes, role in
            let file = try IncomingFile(in: container)
            try file.append(bytes)
            return try publication.add(
                file, as: role, type: .jpeg, size: PixelSize(width: 100, height: 100))
        }
        try publication.commit(Self.manifest(identifier, renditions, source: identifier))
    }

    /// Sets the age of a notification and its renditions.
    func age(_ identifier: String, hours: Int) throws {
        try age(file: manifestFile(identifier), hours: hours)
        for rendition in try #require(try container.manifest(for: identifier)).renditions {
            try age(file: "renditions/\(rendition.file)", hours: hours)
        }
    }

    /// Sets a file's age, with half a minute of margin.
    func age(file: String, hours: Int) throws { try age(file, by: Double(hours) * 3600 + 30) }

    @discardableResult
    func prune(_ policy: PruningPolicy, dryRun: Bool = false) throws -> PruningReport {
        try container.prune(policy, dryRun: dryRun)
    }

    /// Reported removals of a pruning, which must have no failures.
    func removals(
        _ policy: PruningPolicy, dryRun: Bool = false
    ) throws -> (removals: [PruningEvent.Removal], report: PruningReport) {
        var removals: [PruningEvent.Removal] = []
        let report = try container.prune(policy, dryRun: dryRun) { event in
            switch event {
            case .removal(let removal): removals.append(removal)
            case .failure(let error): Issue.record(error)
            case .progress(let soFar): #expect(soFar.isDryRun == dryRun)
            }
        }
        return (removals, report)
    }

    /// Sorted identifiers of all notifications.
    func identifiers() throws -> [String] {
        try container.manifests().map { try $0.get().identifier }.sorted()
    }

    func allFiles() throws -> [String] { try files(in: ".") }

    /// Expects no findings except unreferenced renditions.
    func expectSound(_ location: SourceLocation = #_sourceLocation) {
        container.verify { event in
            if case .finding(let finding) = event, finding.code != .unreferencedRendition {
                Issue.record("\(finding)", sourceLocation: location)
            }
        }
    }
}
