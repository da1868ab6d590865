import ArgumentParser
import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import AttachmentWorker

/// `thimble inspect`: shows headers and the plans for attachments.
struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what the probe knows of attachments, and the plans for them.",
        discussion: """
            Only headers are read, never pixels: a few kilobytes a file. A worker reads them, under \
            the cap and in the sandbox of one that processes, and plans with its own baseline. The \
            ladder lists the plans from best to cheapest, the peak footprint predicted for each, \
            the one that is chosen for the cap, and what is too much in the better ones. Scratch \
            files are planned for as in a container on a disk, unless --scratch or --max-scratch says \
            otherwise.

            EXAMPLES
              thimble inspect photo.heic
              thimble inspect photo.heic --cap legacy-service-extension
              thimble inspect photo.heic --preset content --preset web-push
              thimble inspect *.jpg --report json
            """)

    @Argument(help: "The attachments, as paths or URLs.", completion: .file())
    var files: [String]

    @Option(help: "What to print: text or json.")
    var report = ReportFormat.fromEnvironment.value

    @OptionGroup(title: "Fetching") var fetching: FetchOptions
    @OptionGroup(title: "Workers") var workers: WorkerOptions
    @OptionGroup(title: "Renditions") var settings: SettingsOptions
    @OptionGroup(title: "Logging") var common: CommonOptions

    private struct Inspection: Encodable {
        let file: String
        var header: PictureSummary?
        var media: MediaHeader?
        var predictedPeak: ByteCount?
        var ladder: LadderReport?
        var error: String?
        var reason: String?

        init(_ found: InspectedAttachment, file: String) {
            self.file = file
            switch found.content {
            case .picture(let picture):
                header = picture
                ladder = LadderReport(found)
            case .media(let header):
                media = header
                predictedPeak = found.predictedPeak
            }
        }

        init(_ failure: SourceFailure, file: String) {
            self.file = file
            error = failure.code
            reason = failure.reason
        }
    }

    func validate() throws { try ReportFormat.fromEnvironment.check() }

    func run() async throws {
        common.bootstrapLogging()
        let settings = try settings.settings()
        let source = AttachmentSource(fetcher: try fetching.fetcher(nil, workers))
        let inspector = try await workers.inspector(settings)
        let inspections = await interruptible { [self] in
            let inspections = await inspect(from: source, by: inspector)
            await inspector.close()
            await source.fetcher.close()
            return inspections
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
        if inspections.count < files.count { throw ExitCode.interrupted }
        guard inspections.allSatisfy({ $0.error == nil }) else { throw ExitCode.someFailed }
    }

    private func inspect(
        from source: AttachmentSource, by inspector: AttachmentInspector
    ) async -> [Inspection] {
        var inspections: [Inspection] = []
        for file in files where !Task.isCancelled {
            do throws(SourceFailure) {
                let request = try await source.request(file, identifier: "")
                inspections.append(
                    Inspection(try await inspect(request, by: inspector), file: file))
            } catch {
                Terminal.complain("failed: \(error.message)")
                guard !error.isCancellation else { break }
                inspections.append(Inspection(error, file: file))
            }
        }
        return inspections
    }

    private func inspect(
        _ request: AttachmentRequest, by inspector: AttachmentInspector
    ) async throws(SourceFailure) -> InspectedAttachment {
        do throws(AttachmentError) {
            return try await inspector.inspect(request)
        } catch {
            throw SourceFailure(error)
        }
    }
}

extension MediaHeader {
    fileprivate func lines(under limits: MediaLimits) -> [String] {
        let limit = limits.limit(for: type.kind)
        let fits = fileBytes <= limit
        return [
            "format       \(format.rawValue), \(coding ?? "unknown coding"), \(fileBytes)",
            "type         \(type.rawValue), a \(type.kind.rawValue)",
            "size         \(size?.description ?? "none told")",
            "duration     \(duration.map { "\($0.fixed(1)) s" } ?? "not told")",
            "end          \(endsEarly ? "missing: the file was cut" : "there")",
            "limit        \(limit), " + (fits ? "which it keeps" : "which it is over"),
            "attached     " + (obstacle.map { "no: \($0)" } ?? (fits ? "unchanged" : "no")),
        ]
    }
}

extension AnimationTiming {
    fileprivate var words: String {
        let time = seconds.map { "\($0.fixed(1)) s" } ?? "for a time that is not told"
        let loops =
            switch loopCount {
            case 0: "without end"
            case 1: "once"
            default: "\(loopCount) times"
            }
        return "\(time), played \(loops)"
    }
}

extension PictureSummary {
    fileprivate var lines: [String] {
        let frames = frameCount.map { $0 == 1 ? "1 (still)" : "\($0)" } ?? "more than one"
        let alpha = hasAlpha ? " with alpha" : ""
        let sampling = chromaSubsampling.map { " \($0)" } ?? ""
        return [
            "format       \(format.rawValue), \(coding), \(fileBytes)",
            "size         \(uprightSize) upright, \(storedSize) stored, orientation "
                + "\(orientation.rawValue)",
            "colour       \(colourModel.rawValue)\(sampling)\(alpha), \(bitsPerSample) bits",
            "profile      \(profileBytes == 0 ? "none" : "ICC, \(ByteCount(profileBytes))")",
            "metadata     \(hasMetadata ? "present" : "none")",
            "frames       \(frames)\(timing.map { ", \($0.words)" } ?? "")",
            "preview      \(previewSize.map { "embedded, \($0)" } ?? "none")",
        ] + (gainMap.map { ["gain map     \($0.name), which renditions do without"] } ?? [])
    }
}
