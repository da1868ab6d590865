import ArgumentParser
import AttachmentModel
import AttachmentContainer
import AttachmentStore
import Foundation
import ThimbleOptions

/// `thimble container`: lists, shows and maintains a container.
struct Container: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "container",
        abstract: "Inspect a shared container and keep it small.",
        subcommands: [
            List.self, Show.self, Verify.self, Prune.self, Pin.self, Forget.self,
        ])
}

extension Container {
    /// `thimble container list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the notifications.",
            discussion: """
                EXAMPLES
                  thimble container list --container Container
                  thimble container list --container Container --report json
                  thimble container list --container Container --published
                """)

        @OptionGroup var container: ContainerOption

        @Flag(help: "List published objects with their stores and last use instead.")
        var published = false

        @Option(help: "What to print: text, or json for the manifests.")
        var report = ReportFormat.fromEnvironment.value

        func validate() throws { try ReportFormat.fromEnvironment.check() }

        func run() throws {
            let shared = try container.open()
            if published { return try printPublished(in: shared) }
            var manifests: [Manifest] = []
            var failures = 0
            let entries = try orExit { () throws(ContainerError) in try shared.manifests() }
            for entry in entries {
                do {
                    manifests.append(try entry.get())
                } catch {
                    failures += 1
                    Terminal.complain("failed: \(error)")
                }
            }
            manifests.sort { $0.identifier < $1.identifier }
            switch report {
            case .json: try JSONOutput.print(manifests)
            case .text: ManifestText.printTable(manifests, in: shared)
            }
            if failures > 0 { throw ExitCode.someFailed }
        }

        private func printPublished(in shared: SharedContainer) throws {
            var failures = 0
            let objects = try orExit { () throws(ContainerError) in
                try PublishedObjects(in: shared).all { error in
                    failures += 1
                    Terminal.complain("failed: \(error)")
                }
            }
            switch report {
            case .json: try JSONOutput.print(objects)
            case .text:
                for object in objects { TextOutput.print(object.line) }
                TextOutput.print("\(objects.count) object\(objects.count == 1 ? "" : "s")")
            }
            if failures > 0 { throw ExitCode.someFailed }
        }
    }

    /// `thimble container show`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show one notification as its content extension sees it.",
            discussion: """
                EXAMPLES
                  thimble container show order-1042 --container Container
                  thimble container show order-1042 --container Container --width 320 --scale 2
                """)

        @Argument(help: "The notification's identifier.")
        var identifier: String

        @OptionGroup var container: ContainerOption

        @Option(RenditionOption.width) var width: String?

        @Option(RenditionOption.scale) var scale: String?

        @Option(RenditionOption.renderBudget) var renderBudget: String?

        @Option(help: "What to print: text, or json for the manifest.")
        var report = ReportFormat.fromEnvironment.value

        func validate() throws {
            try ReportFormat.fromEnvironment.check()
            _ = try display()
        }

        private func display() throws(ValidationError) -> Display {
            var settings = ProcessingSettings()
            try RenditionOption.width.read(given: width, .thimble, into: &settings)
            try RenditionOption.scale.read(given: scale, .thimble, into: &settings)
            try RenditionOption.renderBudget.read(given: renderBudget, .thimble, into: &settings)
            return Display(
                width: settings.width, scale: settings.scale, renderBudget: settings.renderBudget)
        }

        func run() throws {
            let shared = try container.open()
            let display = try display()
            let found = try orExit { () throws(ContainerError) in
                try shared.manifest(for: identifier)
            }
            guard let manifest = found else {
                Terminal.complainMissing(identifier)
                throw ExitCode.someFailed
            }
            switch report {
            case .json: try JSONOutput.print(manifest)
            case .text:
                ManifestText.print(manifest)
                ManifestText.printPublished(manifest, in: shared)
                ManifestText.print(shared.content(for: identifier, on: display))
            }
        }
    }
}
