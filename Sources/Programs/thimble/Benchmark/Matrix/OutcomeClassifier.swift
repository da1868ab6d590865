internal import AttachmentContainer
internal import AttachmentModel
import AttachmentPublishing
internal import Foundation

/// Determines the outcome of a run from its exit and its output.
struct OutcomeClassifier {
    let peer: Peer
    let file: BenchmarkFile
    let source: URL
    /// The requested longer side, in pixels.
    let side: Int

    func attempt(
        _ measurement: Measurement, output: URL, cap: Int?
    ) -> (attempt: Attempt, picture: URL?) {
        func attempt(
            _ outcome: Attempt.Verdict, _ reason: String? = nil, _ picture: Attempt.Picture? = nil
        ) -> Attempt {
            Attempt(
                cap: cap, outcome: outcome, reason: reason, measurement: measurement,
                picture: picture)
        }
        switch measurement.ending {
        case .timedOut: return (attempt(.timedOut), nil)
        case .signalled(let signal): return (attempt(.killed, "signal \(signal)"), nil)
        case .exited(let code) where code != 0:
            // A shell or a supervisor may survive the killed process.
            if measurement.kills > 0 { return (attempt(.killed, "exit code \(code)"), nil) }
            let reason = measurement.complaint.isEmpty ? "exit code \(code)" : measurement.complaint
            return (attempt(code == peer.refusalCode ? .refused : .failed, reason), nil)
        case .exited: break
        }
        if let workers = peer.workers, measurement.peakFootprint.bytes == 0 {
            let names = workers.joined(separator: " or ")
            return (attempt(.failed, "no process \(names) was seen"), nil)
        }
        let (found, manifest) = result(at: output)
        let isMedia = file.kind == .media
        guard let url = found,
            let picture = isMedia
                ? copy(at: url, rung: manifest?.rung) : picture(at: url, rung: manifest?.rung)
        else {
            let wasKilled = measurement.kills > 0
            let reason = "it left no " + (isMedia ? "complete copy" : "complete picture")
            return (attempt(wasKilled ? .killed : .failed, reason), nil)
        }
        if isMedia { return (attempt(.survived, nil, picture), url) }
        if manifest?.rung == "preview" { return (attempt(.preview, nil, picture), url) }
        if let least = file.leastSize(within: side),
            picture.size.width < least.width || picture.size.height < least.height
        {
            return (attempt(.reduced, "\(picture.size)", picture), url)
        }
        if let manifest, manifest.source.frames ?? 1 > 1, manifest.rendition(.attachment) == nil {
            return (attempt(.reduced, "a still", picture), url)
        }
        return (attempt(.survived, nil, picture), url)
    }

    /// The output file, with its manifest if there is one.
    private func result(at output: URL) -> (URL?, Manifest?) {
        guard peer.output == .container else { return (output, nil) }
        guard let container = try? SharedContainer.open(at: output),
            let manifests = try? container.manifests(),
            let manifest = manifests.lazy.compactMap({ try? $0.get() }).first,
            let rendition = manifest.rendition(file.kind == .media ? .media : .expanded)
        else { return (nil, nil) }
        return (output.appending(path: "renditions/\(rendition.file)"), manifest)
    }

    /// The output at a path, if it has the source's bytes.
    private func copy(at url: URL, rung: String?) -> Attempt.Picture? {
        guard let digest = try? AttachmentFile(path: url.path).digest(),
            digest == (try? AttachmentFile(path: source.path).digest())
        else { return nil }
        return Attempt.Picture(
            bytes: file.bytes, size: file.size ?? .zero, digest: digest, rung: rung)
    }

    /// The output at a path, if it is complete from header to end marker.
    private func picture(at url: URL, rung: String?) -> Attempt.Picture? {
        guard let file = try? AttachmentFile(path: url.path),
            let head = RenditionHead(of: file.descriptor), let data = try? Data(contentsOf: url)
        else { return nil }
        let end: [UInt8]
        switch head.type {
        // End of image (ITU-T T.81, B.1.1.3).
        case .jpeg: end = [0xFF, 0xD9]
        // The chunk IEND with its constant checksum (PNG specification, 11.2.5).
        case .png: end = [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        // The trailer (GIF89a, section 27).
        case .gif: end = [0x3B]
        }
        guard data.suffix(end.count).elementsEqual(end) else { return nil }
        return Attempt.Picture(
            bytes: ByteCount(data.count), size: head.size, digest: ContentDigest(of: data),
            rung: rung)
    }
}
