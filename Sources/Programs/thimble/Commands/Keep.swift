import ArgumentParser
import AttachmentContainer

extension Container {
    /// `thimble container pin`.
    struct Pin: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pin",
            abstract: "Pin notifications, so that pruning keeps them.",
            discussion: """
                EXAMPLES
                  thimble container pin order-1042 --container Container
                  thimble container pin order-1042 --off --container Container
                """)

        @OptionGroup var identifiers: Identifiers

        @Flag(help: "Unpin them.")
        var off = false

        func run() throws {
            try identifiers.forEach { (shared, identifier) throws(ContainerError) in
                off ? try shared.unpin(identifier) : try shared.pin(identifier)
            }
        }
    }

    /// `thimble container forget`.
    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Remove notifications, pinned or not.",
            discussion: """
                The next pruning removes renditions that no other notification uses.

                EXAMPLES
                  thimble container forget order-1042 --container Container
                """)

        @OptionGroup var identifiers: Identifiers

        func run() throws {
            try identifiers.forEach { (shared, identifier) throws(ContainerError) in
                try shared.forget(identifier)
            }
        }
    }
}

struct Identifiers: ParsableArguments {
    @Argument(help: "The notifications' identifiers.")
    var identifiers: [String]

    @OptionGroup var container: ContainerOption

    /// Applies a step to each notification.
    ///
    /// The step returns false if the notification is missing.
    func forEach(_ step: (SharedContainer, String) throws(ContainerError) -> Bool) throws {
        let shared = try container.open()
        var isMissing = false
        for identifier in identifiers {
            let isThere = try orExit { () throws(ContainerError) in try step(shared, identifier) }
            guard !isThere else { continue }
            isMissing = true
            Terminal.complainMissing(identifier)
        }
        if isMissing { throw ExitCode.someFailed }
    }
}
