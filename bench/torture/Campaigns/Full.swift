import ArgumentParser
import AttachmentContainer
import Foundation

/// `container-torture full`: publishes on a volume with very little free space.
struct Full: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publish on a small volume that is full (needs permission to mount).")

    @Option(help: "Folder in which the volume is mounted.", transform: URL.init(fileURLWithPath:))
    var folder = FileManager.default.temporaryDirectory

    func run() throws {
        let workplace = try Workplace(in: folder)
        guard let volume = SmallVolume(in: workplace) else {
            print("A volume cannot be mounted here; nothing was checked.")
            return
        }
        var campaign = try FullCampaign(on: volume, in: workplace)
        try campaign.run()
        Figures.begin("A full volume (tmpfs of 1 MiB and 200 files)")
        Figures.row("publications tried with 0 to 100 KiB free", campaign.triedWithoutBytes)
        Figures.row("publications tried with 0 to 11 names free", campaign.triedWithoutNames)
        Figures.row("of these, refused as `full`", campaign.refused)
        Figures.row("notifications lost or torn, or files left behind", campaign.violations.count)
        try campaign.violations.exitIfAny()
    }
}

/// Publishes on a volume filled up to a few bytes or file names.
struct FullCampaign {
    private let volume: SmallVolume
    private let workplace: Workplace
    private let container: SharedContainer
    private var published: [String: String] = [:]
    private(set) var triedWithoutBytes = 0
    private(set) var triedWithoutNames = 0
    private(set) var refused = 0
    private(set) var violations = Violations()

    init(on volume: SmallVolume, in workplace: Workplace) throws {
        self.volume = volume
        self.workplace = workplace
        container = try SharedContainer.create(at: volume.folder)
    }

    mutating func run() throws {
        for number in 0..<8 { try publish("before-\(number)", number) }
        for pages in 0..<25 {
            try volume.fill(leaving: pages * 4096)
            triedWithoutBytes += 1
            // New notifications, and replacements of existing ones.
            try attempt(pages.isMultiple(of: 2) ? "new" : "before-0", 100 + pages)
            try volume.empty()
        }
        for names in 0..<12 {
            try volume.fill(leavingNames: names)
            triedWithoutNames += 1
            try attempt(names.isMultiple(of: 2) ? "newer" : "before-1", 200 + names)
            try volume.empty()
        }
        if refused == 0 { violations.note("the volume was never full") }
        try makeRoom()
    }

    /// Publishes; a lack of space is an allowed error.
    private mutating func attempt(_ identifier: String, _ picture: Int) throws {
        do {
            try publish(identifier, picture)
        } catch let error as ContainerError {
            refused += 1
            if error.code != .full { violations.note(error.detailedDescription) }
        }
        try check()
    }

    private mutating func publish(_ identifier: String, _ picture: Int) throws {
        let category = "\(picture)"
        // About 12 kB per rendition: three pages.
        try FakePicture(number: picture).publish(
            identifier, category: category, in: container, size: 12_000)
        published[identifier] = category
    }

    private mutating func check() throws {
        for (identifier, category) in published {
            if try container.manifest(for: identifier)?.category != category {
                violations.note("\(identifier) differs from what was published")
            }
            if case .torn(let reason) = Reading.check(identifier, in: container) {
                violations.note(reason)
            }
        }
        let incoming = volume.folder.appending(path: "incoming").path
        if try !FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty {
            violations.note("files are left in incoming")
        }
    }

    /// Prunes on the full volume, then publishes again.
    private mutating func makeRoom() throws {
        for name in ["notifications", "renditions", "results"] { try workplace.age(name, by: 7200) }
        try container.pin("before-2")
        try volume.fill(leaving: 0)
        try volume.fill(leavingNames: 0)
        let report = try container.prune(PruningPolicy(maximumCount: 3))
        if report.failures > 0 || report.after.notifications != 3 {
            violations.note("pruning on a full volume left \(report.after.notifications)")
        }
        published = [:]
        for entry in try container.manifests() {
            let manifest = try entry.get()
            published[manifest.identifier] = manifest.category
        }
        if published["before-2"] == nil { violations.note("a pinned notification was removed") }
        try publish("after", 300)
        try check()
        for finding in container.findings { violations.note(finding.description) }
    }
}
