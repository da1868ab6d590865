import ArgumentParser
import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning

/// `thimble inspect`: what the probe knows of a file, and what would be done with it.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what the probe knows of attachments, and the plan for them.",
        discussion: """
            Only headers are read, never pixels: a few kilobytes a file.

            EXAMPLES
              thimble inspect photo.heic
              thimble inspect *.jpg --report json
            """)

    @Argument(help: "The attachments.", completion: .file())
    var files: [String]

    @Option(help: "What to print: text or json.")
    var report = ReportFormat.fromEnvironment.value

    @OptionGroup(title: "Renditions") var settings: SettingsOptions

    /// One file of the JSON report.
    private struct Inspection: Encodable {
        let file: String
        var plan: Plan?
        var expandedSize: PixelSize?
        var error: AttachmentError.Code?
        var reason: String?
    }

    func validate() throws { try ReportFormat.fromEnvironment.check() }

    func run() throws {
        let planner = Planner(settings: try settings.settings())
        let inspections = files.map { file in
            do throws(AttachmentError) {
                let plan = planner.plan(try Probe.header(ofFile: file))
                return Inspection(file: file, plan: plan, expandedSize: plan.expandedSize)
            } catch {
                Terminal.complain("failed: \(error)")
                return Inspection(file: file, error: error.code, reason: error.reason)
            }
        }
        switch report {
        case .json: try JSONOutput.print(inspections)
        case .text:
            for inspection in inspections {
                guard let plan = inspection.plan else { continue }
                print(inspection.file)
                plan.header.lines.forEach { print("  \($0)") }
                print("  plan         \(plan)")
            }
        }
        guard inspections.allSatisfy({ $0.error == nil }) else { throw ExitCode.someFailed }
    }
}

extension AttachmentHeader {
    /// The header as labelled lines.
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
            "frames       \(frames)",
        ]
    }
}
