import ArgumentParser
import AttachmentContainer

/// The container of a command that writes to it.
///
/// It is created if missing.
struct WritableContainerOption: ParsableArguments {
    @OptionGroup var container: ContainerOption

    @Option(
        help: ArgumentHelp(
            """
            Permissions of the container's files, such as 640. The default, auto, keeps those set \
            before, else uses those of the folder's group, else 600.
            """, valueName: "auto|bits"))
    var mode = Self.fromEnvironment.value

    private static let fromEnvironment = EnvironmentDefault("mode", ModeChoice.auto)

    func validate() throws { try Self.fromEnvironment.check() }

    /// Opens the container for writing, creating it if missing.
    ///
    /// Exits the command on failure.
    func create() throws -> SharedContainer {
        try orExit { () throws(ContainerError) in try make() }
    }

    /// Same, but throws the error.
    func make() throws(ContainerError) -> SharedContainer {
        try SharedContainer.create(at: container.url, mode: mode.mode)
    }
}

enum ModeChoice: ExpressibleByArgument, Sendable, CustomStringConvertible {
    /// The existing permissions, else those of the folder's group, else the owner's alone.
    case auto
    case bits(ContainerMode)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else {
            guard let mode = ContainerMode(octal: argument) else { return nil }
            self = .bits(mode)
        }
    }

    var mode: ContainerMode? { if case .bits(let mode) = self { mode } else { nil } }

    var description: String { mode?.description ?? "auto" }
}
