internal import AttachmentContainer
internal import AttachmentIntake
internal import AttachmentPlanning
internal import Foundation

/// Says what became of a run, by how it ended and what it left.
struct Judge {
    let peer: Peer
    let file: BenchmarkFile
    /// Where the file is.
    let source: URL
    /// The longer side asked for, in pixels.
    let side: Int

    /// Judges one run.
    ///
    /// - Parameters:
    ///   - measurement: What the run took.
    ///   - output: What was given to the peer as `{output}`.
    ///   - cap: The cap in MiB, nil for none.
    /// - Returns: The attempt, and the picture's path where there is one.
    func attempt(
        _ measurement: Measurement, output: URL, cap: Int?
    ) -> (attempt: Attempt, picture: URL?) {
        func attempt(
            _ outcome: Attempt.Outcome, _ reason: String? = nil, _ picture: Attempt.Picture? = nil
        ) -> Attempt {
            Attempt(
                cap: cap, outcome: outcome, reason: reason, measurement: measurement,
                picture: picture)
        }
        switch measurement.ending {
        case .timedOut: return (attempt(.timedOut), nil)
        case .signalled(let signal): return (attempt(.killed, "signal \(signal)"), nil)
        case .exited(let code) where code != 0:
            // A shell, or a supervisor, may outlive the process that was killed.
            if measurement.kills > 0 { return (attempt(.killed, "exit code \(code)"), nil) }
            let reason = measurement.complaint.isEmpty ? "exit code \(code)" : measurement.complaint
            return (attempt(code == peer.refusalCode ? .refused : .failed, reason), nil)
        case .exited: break
        }
        if let worker = peer.worker, measurement.peakFootprint.bytes == 0 {
            return (attempt(.failed, "no process \(worker) was seen"), nil)
        }
        let (found, manifest) = result(at: output)
        let isMedia = file.kind == .media
        guard let url = found,
            let picture = isMedia
                ? copy(at: url, rung: manifest?.rung) : picture(at: url, rung: manifest?.rung)
        else {
            let wasKilled = measurement.kills > 0
            let reason = "it left no " + (isMedia ? "whole copy" : "whole picture")
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

    /// What the peer made, and the manifest that came with it.
    private func result(at output: URL) -> (URL?, Manifest?) {
        guard peer.output == .container else { return (output, nil) }
        guard let container = try? SharedContainer.open(at: output),
            let manifests = try? container.manifests(),
            let manifest = manifests.lazy.compactMap({ try? $0.get() }).first,
            let rendition = manifest.rendition(file.kind == .media ? .media : .expanded)
        else { return (nil, nil) }
        return (output.appending(path: "renditions/\(rendition.file)"), manifest)
    }

    /// What there is at a path, when it has the bytes of the file.
    private func copy(at url: URL, rung: String?) -> Attempt.Picture? {
        guard let digest = try? AttachmentFile(path: url.path).digest(),
            digest == (try? AttachmentFile(path: source.path).digest())
        else { return nil }
        return Attempt.Picture(
            bytes: file.bytes, size: file.size ?? .zero, digest: digest, rung: rung)
    }

    /// What there is at a path, when it is whole from header to end mark.
    private func picture(at url: URL, rung: String?) -> Attempt.Picture? {
        guard let header = try? Probe.header(ofFile: url.path),
            let data = try? Data(contentsOf: url)
        else { return nil }
        let end: [UInt8]
        switch header.format {
        // End of image (ITU-T T.81, B.1.1.3).
        case .jpeg: end = [0xFF, 0xD9]
        // The chunk IEND and its checksum, which is always the same (PNG specification, 11.2.5).
        case .png: end = [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        default: return nil
        }
        guard data.suffix(end.count).elementsEqual(end) else { return nil }
        return Attempt.Picture(
            bytes: ByteCount(data.count), size: header.uprightSize, digest: ContentDigest(of: data),
            rung: rung)
    }
}
