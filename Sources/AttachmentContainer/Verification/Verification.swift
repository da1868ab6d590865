import Foundation

extension SharedContainer {
    /// Reads every manifest, digests every rendition, and looks for what does not belong.
    ///
    /// Nothing is changed, and other processes may go on publishing and pruning: what they change
    /// meanwhile is no finding, or one for information. In memory it keeps a buffer of
    /// 64 KiB and the names of the renditions that manifests name. What stands in the root beside
    /// the layout is not looked at: in an App Group there is more.
    ///
    /// - Parameter report: Called for every file and every finding, as they come.
    /// - Returns: How much was read.
    @discardableResult
    public func verify(_ report: (VerificationEvent) -> Void) -> VerificationTotals {
        withoutActuallyEscaping(report) { Verification(of: self, report: $0).run() }
    }
}

/// One walk through a container.
private final class Verification {
    private let container: SharedContainer
    private let report: (VerificationEvent) -> Void
    private var totals = VerificationTotals() {
        didSet { report(.progress(totals)) }
    }
    /// The files that manifests name.
    private var referenced: Set<String> = []

    init(of container: SharedContainer, report: @escaping (VerificationEvent) -> Void) {
        self.container = container
        self.report = report
    }

    func run() -> VerificationTotals {
        visit(container.path(.notifications), checkManifest)
        visit(container.path(.renditions)) { folder, path throws(ContainerError) in
            // Nil when it was removed just now; so below.
            guard let status = try container.system.status(of: path) else { return }
            guard status.isFolder else {
                return found(.stray, path, "it is no folder of renditions")
            }
            visit(path) { name, path throws(ContainerError) in
                try checkRendition(name, in: folder, path)
            }
        }
        visit(container.path(.results), checkResult)
        visit(container.path(.pinned)) { name, path in
            let standing = CondemnedFile.name(of: name) ?? name
            guard ContentDigest(rawValue: standing) != nil else {
                return found(.stray, path, "it is no pin")
            }
            if standing != name { foundCondemned(path) }
        }
        visit(container.path(.published), checkRecord)
        visit(container.path(.incoming)) { _, path throws(ContainerError) in
            if try container.isStale(path) {
                found(.staleIncoming, path, "nobody has written to it for an hour")
            }
        }
        return totals
    }

    private func checkManifest(_ name: String, _ path: String) throws(ContainerError) {
        if let name = CondemnedFile.name(of: name), SharedContainer.key(of: name) != nil {
            return foundCondemned(path)
        }
        guard let key = SharedContainer.key(of: name) else {
            return found(.stray, path, "it is no manifest")
        }
        guard let status = try container.system.status(of: path),
            let manifest = try container.manifest(withKey: key)
        else { return }
        totals.manifests += 1
        var faults: [(code: Finding.Code, file: String, message: String)] = []
        for rendition in manifest.renditions {
            referenced.insert(rendition.file)
            let file = container.path(.renditions, rendition.file)
            let bytes = try container.system.status(of: file)?.bytes
            if bytes == nil {
                let message = "the manifest \(key) names it, and it is not there"
                faults.append((.missingRendition, file, message))
            } else if bytes != rendition.bytes.bytes {
                faults.append((.wrongLength, file, "the manifest \(key) says \(rendition.bytes)"))
            }
        }
        guard !faults.isEmpty else { return }
        // The notification may have been evicted, or published again, since its manifest was read.
        guard try container.system.status(of: path)?.modified == status.modified else { return }
        for fault in faults { found(fault.code, fault.file, fault.message) }
    }

    private func checkRendition(
        _ name: String, in folder: String, _ path: String
    ) throws(ContainerError) {
        let standing = CondemnedFile.name(of: name) ?? name
        guard Manifest.Rendition.isPlace("\(folder)/\(standing)") else {
            return found(.stray, path, "it is no rendition")
        }
        guard standing == name else { return foundCondemned(path) }
        guard let status = try container.system.status(of: path) else { return }
        guard status.isFile else { return found(.stray, path, "it is no rendition") }
        guard let file = try container.system.openFile(at: path) else { return }
        let digest = try ContentDigest(of: file, by: container.system)
        if digest.rawValue != name.prefix(while: { $0 != "." }) {
            found(.damagedRendition, path, "its bytes do not have the digest that is its name")
        }
        if !referenced.contains("\(folder)/\(name)") {
            let isPublished =
                try container.system.status(of: container.publishedPath("\(folder)/\(name)")) != nil
            found(
                .unreferencedRendition, path,
                "no manifest names it" + (isPublished ? "; its URL was given out" : ""))
        }
        totals.count(rendition: status.bytes)
    }

    private func checkResult(_ name: String, _ path: String) throws(ContainerError) {
        guard SharedContainer.key(of: name) != nil else {
            return found(.stray, path, "it is no result")
        }
        if container.result(at: path) == nil, try container.system.status(of: path) != nil {
            found(.staleResult, path, "it can no longer be reused")
        }
    }

    private func checkRecord(_ name: String, _ path: String) throws(ContainerError) {
        let standing = CondemnedFile.name(of: name) ?? name
        guard let file = SharedContainer.publishedFile(of: standing) else {
            return found(.stray, path, "it is no record of a URL")
        }
        guard standing == name else { return foundCondemned(path) }
        let rendition = container.path(.renditions, file)
        guard try container.system.status(of: rendition) == nil,
            // It may be out of sight for a moment, or the record may have been pruned meanwhile.
            try container.system.status(of: CondemnedFile.path(of: rendition)) == nil,
            try container.system.status(of: rendition) == nil,
            try container.system.status(of: path) != nil
        else { return }
        found(.missingPublished, rendition, "its URL was given out, and it is not there")
    }

    /// Goes through a folder; one entry that cannot be read does not end it.
    private func visit(
        _ folder: String,
        _ check: (_ name: String, _ path: String) throws(ContainerError) -> Void
    ) {
        do throws(ContainerError) {
            let names = try FolderListing(of: folder, by: container.system)
            while let name = try names.next() {
                do throws(ContainerError) {
                    try check(name, "\(folder)/\(name)")
                } catch {
                    found(error)
                }
            }
        } catch {
            found(error)
        }
    }

    private func foundCondemned(_ path: String) {
        found(.condemned, path, "a pruning was cut short; the next one decides on it")
    }

    private func found(_ code: Finding.Code, _ path: String, _ message: String) {
        let relative = path.dropFirst(container.root.path.count + 1)
        report(.finding(Finding(code: code, path: String(relative), message: message)))
    }

    private func found(_ error: ContainerError) {
        let code: Finding.Code =
            switch error.code {
            case .corrupt, .unknownVersion: .corruptManifest
            case .wrongKey: .wrongKey
            default: .unreadable
            }
        found(code, error.path, error.reason)
    }
}
