import ArgumentParser
import AttachmentContainer

/// The container of a command that writes to it, and makes it where there is none.
struct WritableContainerOption: ParsableArguments {
    @OptionGroup var container: ContainerOption

    @Option(
        help: ArgumentHelp(
            """
            Permissions of the container's files, such as 640. With auto they are those that were set \
            before, else those of the folder's group, else 600.
            """, valueName: "auto|bits"))
    var mode = Self.fromEnvironment.value

    private static let fromEnvironment = EnvironmentDefault("mode", ModeChoice.auto)

    func validate() throws { try Self.fromEnvironment.check() }

    /// Opens the container to write to it, making it if there is none.
    func create() throws -> SharedContainer {
        try orExit { () throws(ContainerError) in try make() }
    }

    /// The same, where an error does not end the command.
    func make() throws(ContainerError) -> SharedContainer {
        try SharedContainer.create(at: container.url, mode: mode.mode)
    }
}

/// Which permissions a container gets.
enum ModeChoice: ExpressibleByArgument, Sendable, CustomStringConvertible {
    /// Those that were set before, else those of the folder's group, else the owner's alone.
    case auto
    /// These.
    case bits(ContainerMode)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else {
            guard let mode = ContainerMode(octal: argument) else { return nil }
            self = .bits(mode)
        }
    }

    /// The permissions; nil for those that are found.
    var mode: ContainerMode? { if case .bits(let mode) = self { mode } else { nil } }

    var description: String { mode?.description ?? "auto" }
}
