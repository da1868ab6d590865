import ArgumentParser
import ThimbleOptions
import AttachmentContainer
import AttachmentStore
import Foundation

extension Container.Prune {
    private struct ObjectReport: Encodable {
        let totals: ObjectPruningReport
        let removals: [PublishedObject]
    }

    /// Removes objects from stores, with `--published`.
    func pruneObjects() async throws {
        let shared = try container.open()
        let choices = try access.choices()
        let access = try access.access()
        let only = try publish.map { text in
            try orExit { () throws(StoreError) in try choices.destination(text, access) }
        }
        let pruning = ObjectPruning(
            of: shared, only: only, by: try policy(), isDryRun: dryRun, access: access)
        var removals: [PublishedObject] = []
        let totals: ObjectPruningReport
        do throws(ContainerError) {
            totals = try await pruning.run { event in
                switch event {
                case .removal(let object): removals.append(object)
                case .failure(let error): Terminal.complain("failed: \(error)")
                }
            }
        } catch {
            Terminal.complain("error: \(error)")
            throw ExitCode.unusable
        }
        switch report {
        case .json: try JSONOutput.print(ObjectReport(totals: totals, removals: removals))
        case .text:
            for object in removals { TextOutput.print(object.line) }
            TextOutput.print(
                "\(totals.removed.objects) of \(totals.before.objects) "
                    + (totals.before.objects == 1 ? "object " : "objects ")
                    + "\(dryRun ? "would be removed" : "removed"), \(totals.removed.bytes)"
                    + (totals.inUse > 0 ? "; \(totals.inUse) in use" : ""))
            if totals.unfinished.objects > 0 {
                TextOutput.print(
                    "\(totals.unfinished.objects) unfinished files of killed publishers "
                        + "\(dryRun ? "would be removed" : "removed"), \(totals.unfinished.bytes)")
            }
        }
        if totals.failures > 0 { throw ExitCode.someFailed }
    }
}

extension PublishedObject {
    /// Destination, name, length and last use, in one line.
    var line: String {
        let state =
            isBeingRemoved
            ? ", removal interrupted" : bytes == nil ? ", upload interrupted" : ""
        return "\(destination ?? "container")/\(file) (\(bytes?.description ?? "unknown length"), "
            + "last used \(lastUse.ISO8601Format())\(state))"
    }
}
