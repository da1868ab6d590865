import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

/// `--preset` of the program, with workers under a cap.
@Suite("thimble --preset", .timeLimit(.minutes(3)))
struct PresetCommandTests {
    private static let all = Preset.allCases.map { "--preset \($0.rawValue)" }
        .joined(separator: " ")

    @Test(
        "The worker makes all presets at once, and its peak is at most the prediction",
        arguments: ["auto", "libvips"], ["lake-baseline.jpg", "thimble-alpha.png"])
    func all(engine: String, name: String) throws {
        try WorkingFolder.with { folder in
            for cap in [12, 24] {
                let run = try Command.shell(
                    "thimble process Images/\(name) --id x --container C-\(cap) --report json "
                        + "--enforce monitor --cap \(cap)MiB --engine \(engine) \(Self.all)",
                    in: folder)
                guard run.code == 0 else {
                    // Refused, with the figures.
                    #expect(cap == 12 && run.errors.contains("cheapest rung"), "\(run.errors)")
                    continue
                }
                let manifest = try ProcessOutput.attachment(run.output).manifest
                let presets = PresetSelection(Preset.allCases)
                #expect(manifest.renditions.map(\.role) == presets.roles)
                let predicted = try #require(manifest.predictedPeak)
                #expect(try #require(manifest.measuredPeak) <= predicted)
                #expect(predicted.bytes <= cap << 20)
                let verified = try Command.shell(
                    "thimble container verify --container C-\(cap)", in: folder)
                #expect(verified.code == 0, "\(verified.output)")
            }
        }
    }

    @Test("A turned picture in a scratch file has all presets, though it can be read only once")
    func turned() throws {
        try WorkingFolder.with { folder in
            // Between them are those at which the reduced picture is turned in a scratch file.
            let rungs = try (11...17).compactMap { cap -> Rung? in
                let run = try Command.shell(
                    "thimble process Images/peak-orientation-6.jpg --id x --container C-\(cap) "
                        + "--report json --cap \(cap)MiB --engine libvips --width 400 "
                        + "--preset content --preset avatar", in: folder)
                guard run.code == 0 else {
                    #expect(run.errors.contains("cheapest rung"), "\(cap): \(run.errors)")
                    return nil
                }
                let manifest = try ProcessOutput.attachment(run.output).manifest
                #expect(manifest.renditions.map(\.role) == [.expanded, .banner, .avatar])
                return Rung(rawValue: manifest.rung)
            }
            #expect(rungs.contains(.fileBacked) && rungs.contains(.streamed), "\(rungs)")
        }
    }

    @Test("Every rendition is published, and the report has the URL of each")
    func publish() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                "thimble process Images/lake-baseline.jpg --id x --container C --report json "
                    + "--preset content --preset avatar,web-push "
                    + "--publish Served --publish-url https://e.com/r", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let done = try ProcessOutput.attachment(run.output)
            let urls = try #require(done.urls)
            #expect(Set(urls.keys) == ["expanded", "banner", "avatar", "web-push"])
            #expect(done.url == urls["expanded"])
            for rendition in done.manifest.renditions {
                let path = folder.appending(path: "Served/\(rendition.file)").path
                #expect(FileManager.default.fileExists(atPath: path), "\(rendition.role.rawValue)")
                #expect(urls[rendition.role.rawValue]?.hasSuffix(rendition.file) == true)
            }
            let list = try Command.shell(
                "thimble container list --published --container C", in: folder)
            #expect(list.output.contains("4 objects"), "\(list.output)")
        }
    }

    @Test("The environment names presets as the command line does; an unknown one is an error")
    func environment() throws {
        try WorkingFolder.with { folder in
            let process = "thimble process Images/lake-baseline.jpg --id x --container C"
            let run = try Command.shell(
                "THIMBLE_PRESET=avatar,widget \(process) --report json", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let both = try ProcessOutput.attachment(run.output).manifest
            #expect(both.renditions.map(\.role) == [.avatar, .widget])
            let own = try Command.shell(
                "THIMBLE_PRESET=avatar \(process) --preset banner --report json", in: folder)
            let one = try ProcessOutput.attachment(own.output).manifest
            #expect(one.renditions.map(\.role) == [.banner])
            for wrong in ["THIMBLE_PRESET=watch \(process)", "\(process) --preset watch"] {
                let refused = try Command.shell(wrong, in: folder)
                #expect(refused.code == 64 && refused.errors.contains("watch"))
            }
        }
    }

    @Test("inspect predicts the peak with the presets, and names their sizes")
    func inspect() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                "thimble inspect Images/lake-baseline.jpg --preset content --preset web-push",
                in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let plan = run.output.split(separator: "\n").first { $0.contains("  plan ") }
            #expect(plan?.contains("web-push of ") == true, "\(run.output)")
        }
    }
}
