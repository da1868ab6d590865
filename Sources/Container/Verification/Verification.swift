import Foundation

extension SharedContainer {
    /// Reads every manifest, computes every rendition's digest, and reports files outside the
    /// layout.
    ///
    /// Nothing is changed. Other processes may publish and prune meanwhile; their changes cause no
    /// findings, or informational ones. Memory use is a buffer of 64 KiB and the names of
    /// referenced renditions. Unknown files in the root are ignored, because an App Group
    /// holds other files.
    ///
    /// - Parameter report: Called for every file and every finding, as they are encountered.
    /// - Returns: Totals of the files read.
    @discardableResult
    public func verify(_ report: (VerificationEvent) -> Void) -> VerificationTotals {
        withoutActuallyEscaping(report) { Verification(of: self, report: $0).run() }
    }
}

private final class Verification {
    private let container: SharedContainer
    private let report: (VerificationEvent) -> Void
    private var totals = VerificationTotals() {
        didSet { report(.progress(totals)) }
    }
    private var referenced: Set<String> = []

    init(of container: SharedContainer, report: @escaping (VerificationEvent) -> Void) {
        self.container = container
        self.report = report
    }

    func run() -> VerificationTotals {
        visit(container.path(.notifications), checkManifest)
        visit(container.path(.renditions)) { folder, path throws(ContainerError) in
            // Nil if it was just removed; likewise below.
            guard let status = try container.system.status(of: path) else { return }
            guard status.isFolder else {
                return found(.stray, path, "it is not a folder of renditions")
            }
            visit(path) { name, path throws(ContainerError) in
                try checkRendition(name, in: folder, path)
            }
        }
        visit(container.path(.results), checkResult)
        visit(container.path(.pinned)) { name, path in
            let original = CondemnedFile.name(of: name) ?? name
            guard ContentDigest(rawValue: original) != nil else {
                return found(.stray, path, "it is not a pin")
            }
            if original != name { foundCondemned(path) }
        }
        visit(container.path(.published), checkRecord)
        visit(container.path(.fetched)) { name, path in
            guard !SharedContainer.isFetchedName(name) else { return }
            found(.stray, path, "it is not a fetched attachment")
        }
        visit(container.path(.incoming)) { _, path throws(ContainerError) in
            if try container.isStale(path) {
                found(.staleIncoming, path, "it was not written to for an hour")
            }
        }
        return totals
    }

    private func checkManifest(_ name: String, _ path: String) throws(ContainerError) {
        if let name = CondemnedFile.name(of: name), SharedContainer.key(of: name) != nil {
            return foundCondemned(path)
        }
        guard let key = SharedContainer.key(of: name) else {
            return found(.stray, path, "it is not a manifest")
        }
        guard let status = try container.system.status(of: path),
            let manifest = try container.storedManifest(withKey: key)
        else { return }
        totals.manifests += 1
        var faults: [(code: Finding.Code, file: String, message: String)] = []
        for name in manifest.files {
            referenced.insert(name)
            let file = container.path(.renditions, name)
            let bytes = try container.system.status(of: file)?.bytes
            if bytes == nil {
                let message = "the manifest \(key) names it, but it is missing"
                faults.append((.missingRendition, file, message))
            } else if let stated = manifest.bytes(of: name), bytes != stated.bytes {
                faults.append((.wrongLength, file, "the manifest \(key) says \(stated)"))
            }
        }
        guard !faults.isEmpty else { return }
        // The notification may have been evicted or republished since its manifest was read.
        guard try container.system.status(of: path)?.modified == status.modified else { return }
        for fault in faults { found(fault.code, fault.file, fault.message) }
    }

    private func checkRendition(
        _ name: String, in folder: String, _ path: String
    ) throws(ContainerError) {
        let original = CondemnedFile.name(of: name) ?? name
        guard Manifest.Rendition.isRenditionPath("\(folder)/\(original)") else {
            return found(.stray, path, "it is not a rendition")
        }
        guard original == name else { return foundCondemned(path) }
        guard let status = try container.system.status(of: path) else { return }
        guard status.isFile else { return found(.stray, path, "it is not a rendition") }
        guard let file = try container.system.openFile(at: path) else { return }
        let digest = try ContentDigest(of: file, by: container.system)
        if digest.rawValue != name.prefix(while: { $0 != "." }) {
            found(.damagedRendition, path, "its bytes do not match the digest in its name")
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
            return found(.stray, path, "it is not a result")
        }
        if container.result(at: path) == nil, try container.system.status(of: path) != nil {
            found(.staleResult, path, "it is no longer reusable")
        }
    }

    private func checkRecord(_ name: String, _ path: String) throws(ContainerError) {
        // Only the store can tell whether those objects are there.
        guard !ObjectRecords.isKey(name) else { return }
        let original = CondemnedFile.name(of: name) ?? name
        guard let file = SharedContainer.publishedFile(of: original) else {
            return found(.stray, path, "it is not a record of a URL")
        }
        guard original == name else { return foundCondemned(path) }
        let rendition = container.path(.renditions, file)
        guard try container.system.status(of: rendition) == nil,
            // A pruning may have renamed it for a moment, or pruned the record meanwhile.
            try container.system.status(of: CondemnedFile.path(of: rendition)) == nil,
            try container.system.status(of: rendition) == nil,
            try container.system.status(of: path) != nil
        else { return }
        found(.missingPublished, rendition, "its URL was given out, but it is missing")
    }

    private func visit(
        _ folder: String, _ check: (_ name: String, _ path: String) throws(ContainerError) -> Void
    ) {
        container.system.visit(folder, check, onFailure: found)
    }

    private func foundCondemned(_ path: String) {
        found(.condemned, path, "a pruning was interrupted; the next one decides on it")
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
