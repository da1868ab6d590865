import ArgumentParser
import AttachmentContainer
import Foundation
import Randomness

/// `container-torture raw`: kills processes that seal pictures, and searches the disk for plaintext.
struct Raw: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Search a raw disk for sealed pictures (needs permission to mount).",
        discussion: """
            Processes that publish sealed pictures are killed at random moments. Then everything is \
            forgotten, and the disk image is searched for every run of 16 bytes of the pictures and \
            their renditions, and for the identifiers. A control publishes in the clear.
            """)

    @Option(help: "Number of processes to kill.")
    var kills = 1000

    @Option(help: "Size of the disk, in MiB.")
    var mebibytes = 64

    @Option(help: "The seed; random by default.")
    var seed: UInt64?

    @Option(help: "Folder of the disk image.", transform: URL.init(fileURLWithPath:))
    var folder = FileManager.default.temporaryDirectory

    @Argument(help: "Pictures to publish.")
    var pictures: [String]

    func validate() throws {
        guard kills > 0, 16...1024 ~= mebibytes, !pictures.isEmpty else {
            throw ValidationError("kills must be at least 1, and mebibytes from 16 to 1,024")
        }
    }

    func run() throws {
        let seed = seed ?? UInt64.random(in: 0..<1_000_000)
        let workplace = try Workplace(in: folder)
        let search = TraceSearch(
            for: try RawPictures.plaintexts(
                of: pictures, in: workplace.folder.appending(path: "clear")))
        var campaign = RawCampaign(
            workplace, pictures, search, mebibytes: mebibytes, SplitMix64(seed: seed))
        let start = ContinuousClock.now
        guard let control = try campaign.run(kills: 3, key: nil),
            let sealed = try campaign.run(
                kills: kills, key: SealingKey.random().withBytes { Data($0) })
        else {
            print("A disk image cannot be mounted here; nothing was checked.")
            return
        }
        if control.runs == 0 { campaign.violations.note("the control found no plaintext") }
        if control.identifiers == 0 {
            campaign.violations.note("the control found no identifier")
        }
        if sealed.runs > 0 { campaign.violations.note("\(sealed.runs) runs of plaintext") }
        if sealed.identifiers > 0 { campaign.violations.note("an identifier is on the disk") }
        Figures.begin("Sealed pictures on a raw disk (ext4 of \(mebibytes) MiB)")
        Figures.row("processes killed with SIGKILL", sealed.kills)
        Figures.row("pictures sealed and published", sealed.published)
        Figures.row("files left after forgetting", sealed.filesLeft)
        Figures.row("runs of 16 bytes of plaintext on the disk", sealed.runs)
        Figures.row("identifiers on the disk", sealed.identifiers)
        Figures.row("control: runs of plaintext, published in the clear", control.runs)
        Figures.row("control: identifiers, published in the clear", control.identifiers)
        Figures.row("time (seed \(seed))", Figures.seconds(ContinuousClock.now - start))
        try campaign.violations.exitIfAny()
    }
}

/// Kills of publishing processes on a new disk, and what the disk has afterwards.
struct RawCampaign {
    struct Findings {
        var kills = 0
        var published = 0
        var filesLeft = 0
        var runs = 0
        var identifiers = 0
    }

    private let workplace: Workplace
    private let pictures: [String]
    private let search: TraceSearch
    private let mebibytes: Int
    private var randomness: SplitMix64
    var violations = Violations()

    init(
        _ workplace: Workplace, _ pictures: [String], _ search: TraceSearch, mebibytes: Int,
        _ randomness: SplitMix64
    ) {
        (self.workplace, self.pictures, self.search) = (workplace, pictures, search)
        (self.mebibytes, self.randomness) = (mebibytes, randomness)
    }

    /// Nil if no disk can be mounted; `key` is nil for renditions in the clear.
    mutating func run(kills: Int, key: Data?) throws -> Findings? {
        guard let disk = RawDisk(in: workplace.folder, mebibytes: mebibytes) else { return nil }
        let root = disk.folder.appending(path: "Thimble")
        let container = try SharedContainer.create(at: root)
        var findings = Findings()
        while findings.kills < kills {
            findings.published += try killOne(
                at: root, key, afterPublication: findings.kills.isMultiple(of: 2))
            findings.kills += 1
            // As an app does from time to time; a small disk would be full otherwise.
            if findings.kills.isMultiple(of: 16) { try forgetAll(container) }
        }
        try forgetAll(container)
        let left = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter {
            var isFolder = ObjCBool(false)
            let path = root.appending(path: $0).path
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            return !isFolder.boolValue && $0 != "thimble.json"
        }
        findings.filesLeft = left.count
        for file in left { violations.note("\(file) is left") }
        let bytes = try disk.bytes()
        findings.runs = search.count(in: bytes)
        findings.identifiers = bytes.range(of: Data(RawPictures.identifier.utf8)) == nil ? 0 : 1
        return findings
    }

    private mutating func forgetAll(_ container: SharedContainer) throws {
        let report = try container.forget(allBut: [], olderThan: .zero)
        for failure in report.failures { violations.note(failure.detailedDescription) }
    }

    /// Starts a process and kills it at a random moment, of its first publication or of a later one;
    /// returns the number of its publications.
    private mutating func killOne(
        at root: URL, _ key: Data?, afterPublication: Bool
    ) throws -> Int {
        var options = ["--seed", "0"]
        if let key { options += ["--key", key.base64EncodedString()] }
        for picture in pictures { options += ["--picture", picture] }
        let process = try ActorProcess(.sealer, at: root, name: "sealer", in: workplace, options)
        while process.isRunning, !process.hasBegun { Thread.sleep(forTimeInterval: 0.0005) }
        let deadline = Date() + 60
        while afterPublication, process.isRunning, try published(process) == 0, Date() < deadline {
            Thread.sleep(forTimeInterval: 0.001)
        }
        // A publication takes tens of milliseconds.
        Thread.sleep(forTimeInterval: Double.random(in: 0...0.25, using: &randomness))
        process.kill()
        if let failure = try process.failure() { violations.note(failure) }
        return try published(process)
    }

    private func published(_ process: ActorProcess) throws -> Int {
        try String(contentsOf: process.log, encoding: .utf8).split(separator: "\n")
            .count { $0 == "published" }
    }
}
