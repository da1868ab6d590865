import ArgumentParser
import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import AttachmentWorker

/// `thimble inspect`: shows headers and the plans for attachments.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what the probe knows of attachments, and the plans for them.",
        discussion: """
            Only headers are read, never pixels: a few kilobytes a file. The ladder lists the plans \
            from best to cheapest, the peak footprint predicted for each, the one that is chosen \
            for the cap, and what is too much in the better ones.

            EXAMPLES
              thimble inspect photo.heic
              thimble inspect photo.heic --cap legacy-service-extension
              thimble inspect *.jpg --report json
            """)

    @Argument(help: "The attachments.", completion: .file())
    var files: [String]

    @Option(help: "What to print: text or json.")
    var report = ReportFormat.fromEnvironment.value

    @Option(
        help: ArgumentHelp(
            "Footprint of the process before the attachment.",
            discussion: "The default is what a worker of thimble has.", valueName: "bytes"))
    var baseline = MemoryBudget.workerBaseline

    @Option(
        help: ArgumentHelp(
            "How workers are kept under the cap: auto, cgroup, rlimit or monitor.",
            discussion: "What that counts beside footprint is kept free, as workers do."))
    var enforce = WorkerOptions.Default.enforce.value

    @OptionGroup(title: "Renditions") var settings: SettingsOptions

    private struct Inspection: Encodable {
        let file: String
        var header: AttachmentHeader?
        var media: MediaHeader?
        var predictedPeak: ByteCount?
        var ladder: LadderReport?
        var error: AttachmentError.Code?
        var reason: String?
    }

    func validate() throws {
        try ReportFormat.fromEnvironment.check()
        try WorkerOptions.Default.enforce.check()
    }

    func run() throws {
        let settings = try settings.settings()
        let budget = MemoryBudget(
            cap: settings.cap, baseline: baseline, reserve: try reserve(under: settings.cap))
        let inspections = files.map { file in
            do throws(AttachmentError) {
                let header: AttachmentHeader
                switch try Probe.attachment(ofFile: file) {
                case .picture(let picture): header = picture
                case .media(let media):
                    return Inspection(
                        file: file, media: media,
                        predictedPeak: MemoryDemand.passThrough.predictedPeak(in: budget))
                }
                let ladder = Planner(
                    settings: settings, placesLargeBlocks: Planner.workersPlaceLargeBlocks
                ).ladder(header)
                return Inspection(
                    file: file, header: header, ladder: LadderReport(ladder, within: budget))
            } catch {
                Terminal.complain("failed: \(error)")
                return Inspection(file: file, error: error.code, reason: error.reason)
            }
        }
        switch report {
        case .json: try JSONOutput.print(inspections)
        case .text:
            for inspection in inspections {
                let picture = (inspection.header?.lines ?? []) + (inspection.ladder?.lines ?? [])
                let media = inspection.media?.lines(under: settings.media) ?? []
                let peak = inspection.predictedPeak.map { ["memory       \($0) predicted"] } ?? []
                guard inspection.error == nil else { continue }
                TextOutput.print(inspection.file)
                for line in picture + media + peak { TextOutput.print("  \(line)") }
            }
        }
        guard inspections.allSatisfy({ $0.error == nil }) else { throw ExitCode.someFailed }
    }
}

extension Inspect {
    /// The part of the cap that a worker's plans leave unused.
    private func reserve(under cap: MemoryCap) throws -> ByteCount {
        do throws(EnforcementError) {
            return try HardCap(cap, by: enforce).planningReserve
        } catch {
            Terminal.complain("error: \(error)")
            throw ExitCode.unusable
        }
    }
}

extension MediaHeader {
    /// Labelled lines of the header.
    fileprivate func lines(under limits: MediaLimits) -> [String] {
        let limit = limits.limit(for: type.kind)
        let fits = fileBytes <= limit
        return [
            "format       \(format.rawValue), \(coding ?? "unknown coding"), \(fileBytes)",
            "type         \(type.rawValue), a \(type.kind.rawValue)",
            "size         \(size?.description ?? "none told")",
            "duration     \(duration.map { "\($0.tenths) s" } ?? "not told")",
            "end          \(endsEarly ? "missing: the file was cut" : "there")",
            "limit        \(limit), " + (fits ? "so it is passed through" : "which it is over"),
        ]
    }
}

extension AnimationTiming {
    /// Duration and number of loops.
    fileprivate var words: String {
        let time = seconds.map { "\($0.tenths) s" } ?? "for a time that is not told"
        let loops =
            switch loopCount {
            case 0: "without end"
            case 1: "once"
            default: "\(loopCount) times"
            }
        return "\(time), played \(loops)"
    }
}

extension AttachmentHeader {
    /// Labelled lines of the header.
    fileprivate var lines: [String] {
        let frames = frameCount.map { $0 == 1 ? "1 (still)" : "\($0)" } ?? "more than one"
        let alpha = hasAlpha ? " with alpha" : ""
        let sampling = chromaSubsampling.map { " \($0)" } ?? ""
        return [
            "format       \(format.rawValue), \(coding.rawValue), \(fileBytes)",
            "size         \(uprightSize) upright, \(storedSize) stored, orientation "
                + "\(orientation.rawValue)",
            "colour       \(colourModel.rawValue)\(sampling)\(alpha), \(bitsPerSample) bits",
            "profile      \(profileBytes == 0 ? "none" : "ICC, \(ByteCount(profileBytes))")",
            "metadata     \(hasMetadata ? "present" : "none")",
            "frames       \(frames)\(timing.map { ", \($0.words)" } ?? "")",
            "preview      \(preview.map { "embedded, \($0.size)" } ?? "none")",
        ]
    }
}
